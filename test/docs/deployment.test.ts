/** The files of examples/deployment: commands exist, settings are known, and what one file names, another one has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT } from '../../src/config/environment.ts';
import { COMMANDS } from '../../src/surfaces/cli/command-table.ts';

const folder = join(import.meta.dirname, '../../examples/deployment');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const commandOf = (line: string): string | undefined => /(?:^|\/)keepsake (\w+)/.exec(line)?.[1];
const names: readonly string[] = COMMANDS.map(({ name }) => name);
const KNOWN: readonly string[] = [...ENVIRONMENT.map(({ name }) => name), 'WORKSPACE_DIR'];

interface Service {
  readonly command?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

it('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
    volumes: object;
  };
  const services = Object.entries(compose.services);
  expect(services.map(([name]) => name)).toEqual(['memory-1', 'memory-2', 'agents', 'postgres', 'redis']);
  for (const [, { build, command, environment = {}, volumes = [], depends_on = {} }] of services) {
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(depends_on)) expect(compose.services).toHaveProperty(other);
    if (build === undefined) continue;
    expect(names).toContain(commandOf(command!));
    for (const variable of Object.keys(environment)) expect(KNOWN).toContain(variable);
  }
});

it('keepsake.service', () => {
  const unit = read('keepsake.service');
  expect(names).toContain(commandOf(/^ExecStart=(.*)$/m.exec(unit)![1]!));
  for (const [, variable] of unit.matchAll(/((?:KEEPSAKE|WORKSPACE)_\w+)=/g))
    expect(KNOWN).toContain(variable);
});
