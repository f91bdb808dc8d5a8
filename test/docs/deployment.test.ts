/** The files of examples/deployment: commands take their flags, settings load, and what one file names, another one has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT, WORKSPACE_VARIABLE } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createClient } from '../../src/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { problemWith } from './support/known-commands.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'examples/deployment');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const KNOWN: readonly string[] = [...ENVIRONMENT.map(({ name }) => name), WORKSPACE_VARIABLE, 'PGPASSWORD'];
const ANALYZER = 'systemd-analyze';
/** What systemd calls well protected; 10 is a unit without any protection. */
const MOST_EXPOSED = 3;

interface Service {
  readonly command?: string;
  readonly build?: string;
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
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
    { build, image, command, environment = {}, volumes = [], depends_on = {}, ports, ...limits },
  ] of services) {
    expect(limits.mem_limit).toMatch(/^\d+[mg]$/);
    // Longer than a server takes to answer what was begun.
    expect(Number.parseInt(limits.stop_grace_period ?? '0', 10)).toBeGreaterThan(20);
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(depends_on)) expect(compose.services).toHaveProperty(other);
    if (build === undefined) {
      expect(image).toMatch(/^[\w./-]+:[\w.-]+$/);
      continue;
    }
    expect(existsSync(join(folder, build, 'Dockerfile'))).toBe(true);
    expect(limits).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    // A password may hold any character, so it is not part of a URL.
    for (const value of Object.values(environment)) expect(value).not.toMatch(/:\/\/[^/]*secret/);
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
  const { name, version, devDependencies, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { name: string; version: string; devDependencies: Record<string, string>; engines: { node: string } };
  const [, packages] = /npm install --global ([^&]+)/.exec(file)!;
  // Pinned, to the versions that the tests ran with.
  const [own, ...others] = packages!.trim().split(' ');
  expect(own).toBe(`/tmp/${name}-${version}.tgz`);
  expect(file).toContain(`COPY ${name}-${version}.tgz /tmp/`);
  for (const each of others) {
    const [wanted, pinned] = each.split('@');
    expect([each, pinned]).toEqual([each, devDependencies[wanted!]]);
  }
  expect(file).toMatch(/^FROM node:\d+\.\d+\.\d+-slim$/m);
  expect(file).toMatch(/^USER node$/m);
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
  // Neither the program nor its user is on this machine.
  const file = join(temporaryFolder(), 'keepsake.service');
  writeFileSync(file, unit.replace('/usr/local/bin/keepsake', process.execPath).replace(/^User=.*$/m, ''));
  const verified = spawnSync(ANALYZER, ['verify', file], { encoding: 'utf8' });
  expect({ stderr: verified.stderr, status: verified.status }).toEqual({ stderr: '', status: 0 });
  writeFileSync(file, unit);
  const { stdout } = spawnSync(ANALYZER, ['security', '--offline=true', file], { encoding: 'utf8' });
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)!;
  expect(Number(exposure)).toBeLessThanOrEqual(MOST_EXPOSED);
});

/** Names of what a server counts, from a running one. */
async function countedNames(): Promise<Set<string>> {
  const client = createClient({ workspace: temporaryFolder() });
  const server = await serve(await client.open(), { version: 'test', port: 0, writeLog: () => {} });
  try {
    const headers = { authorization: `Bearer ${readFileSync(server.serverKeyFile, 'utf8').trim()}` };
    await fetch(`${server.url}/v1/memory`, { headers });
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    return new Set([...text.matchAll(/^(keepsake_\w+)/gm)].map(([, name]) => name!));
  } finally {
    await server.stop();
    await client.close();
  }
}

it('alerts and dashboard use what /metrics has', async () => {
  const known = await countedNames();
  const alerts = parse(read('alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
  };
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const rules = alerts.groups.flatMap((group) => group.rules);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Keepsake[A-Z]\w+$/);
    expect(labels).toHaveProperty('severity');
    expect(annotations.summary).not.toBe('');
  }
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(15);
  for (const expression of expressions) {
    for (const [name] of expression.matchAll(/keepsake_\w+/g)) expect([...known]).toContain(name);
    expect(expression.split('(').length).toBe(expression.split(')').length);
  }
});
