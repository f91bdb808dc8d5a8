/** The files of examples/deployment: commands take their flags, settings load, and what one file names, another one has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { problemWith } from './support/known-commands.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'examples/deployment');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const KNOWN: readonly string[] = [...ENVIRONMENT.map(({ name }) => name), 'WORKSPACE_DIR'];
const ANALYZER = '/usr/bin/systemd-analyze';

interface Service {
  readonly command?: string;
  readonly build?: string;
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

/** As compose puts variables into a file: `${A}`, `${A:?}`, `${A:-else}`. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}/g, (_, otherwise?: string) => otherwise ?? 'secret');

/** Every variable is ours, and with all of them a workspace has a configuration. */
function settingsOf(env: Readonly<Record<string, string>>) {
  for (const name of Object.keys(env)) expect(KNOWN).toContain(name);
  const { config, warnings } = loadConfig({ workspace: temporaryFolder(), env });
  expect(warnings).toEqual([]);
  return config.storage;
}

it('compose.yaml', async () => {
  const compose = parse(filled(read('compose.yaml')), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
    volumes: object;
  };
  const services = Object.entries(compose.services);
  expect(services.map(([name]) => name)).toEqual(['memory-1', 'memory-2', 'agents', 'postgres', 'redis']);
  for (const [
    ,
    { build, image, command, environment = {}, volumes = [], depends_on = {}, ports },
  ] of services) {
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(depends_on)) expect(compose.services).toHaveProperty(other);
    if (build === undefined) {
      expect(image).toMatch(/^[\w./-]+:[\w.-]+$/);
      continue;
    }
    expect(existsSync(join(folder, build, 'Dockerfile'))).toBe(true);
    const [, words] = /^keepsake (.+)$/.exec(command!)!;
    expect(await problemWith(words!)).toBe(undefined);
    const { records, state } = settingsOf(environment);
    for (const { url } of [records, state] as { url: string }[])
      expect(Object.keys(depends_on)).toContain(new URL(url).hostname);
    // What is published is the port that the command listens on.
    for (const port of ports ?? []) expect(command).toContain(`--port ${port.split(':').at(-1)}`);
  }
});

it('Dockerfile', async () => {
  const file = read('Dockerfile');
  const { name, peerDependencies, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { name: string; peerDependencies: object; engines: { node: string } };
  const [, packages] = /npm install --global ([^&]+)/.exec(file)!;
  for (const each of packages!.trim().split(' '))
    expect([name, ...Object.keys(peerDependencies)]).toContain(each);
  const [, major] = /^FROM node:(\d+)/m.exec(file)!;
  expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)![0]));
  const [, command] = /^CMD (.+)$/m.exec(file)!;
  const [program, ...words] = JSON.parse(command!) as string[];
  expect(program).toBe(name);
  expect(await problemWith(words.join(' '))).toBe(undefined);
});

it('keepsake.service', async () => {
  const unit = read('keepsake.service');
  const [, words] = /^ExecStart=\S+\/keepsake (.*)$/m.exec(unit)!;
  expect(await problemWith(words!)).toBe(undefined);
  const env = [...unit.matchAll(/^(?:Environment=|# +)((?:KEEPSAKE|WORKSPACE)_\w+)=(\S+)$/gm)];
  expect(env.length).toBe(3);
  settingsOf(Object.fromEntries(env.map(([, name, value]) => [name!, value!])));
  // Lines are sections, comments or keys; what each key means, systemd itself says where it is installed.
  for (const line of unit.trim().split('\n')) expect(line).toMatch(/^(?:\[\w+\]|#.*|[A-Z]\w+=.*|)$/);
  if (!existsSync(ANALYZER)) return;
  // Neither the program nor its user is on this machine.
  const file = join(temporaryFolder(), 'keepsake.service');
  writeFileSync(file, unit.replace('/usr/local/bin/keepsake', process.execPath).replace(/^User=.*$/m, ''));
  const { stderr, status } = spawnSync(ANALYZER, ['verify', file], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});
