/** A new workspace, and one that is already there. */
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/index.ts';
import { initWorkspace } from '../../src/workspace/index.ts';
import { schemaReference, starterConfig } from '../../src/workspace/starter.ts';
import { asOrdinaryUser, temporaryFolder } from '../config/temporary-folder.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('initWorkspace', () => {
  test('creates private folders and a configuration that loads', () => {
    const root = join(temporaryFolder(), 'new', 'workspace');
    const result = initWorkspace(root, { name: 'assistant' });
    const configFile = join(root, 'keepsake.jsonc');
    expect(result).toEqual({
      root,
      configFile,
      created: [root, join(root, 'agents'), join(root, 'data'), configFile],
      kept: [],
    });
    for (const folder of [root, join(root, 'agents'), join(root, 'data')]) expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(configFile)).toBe(0o600);
    const { config, warnings } = loadConfig({ workspace: root, env: {} });
    expect(config).toEqual(
      parseConfig({ $schema: config.$schema, name: 'assistant', memory: { enabled: true } }),
    );
    expect(warnings).toEqual([]);
  });

  test('in a Git repository, what is private is not staged', () => {
    const root = temporaryFolder();
    initWorkspace(root);
    const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
    git('init', '--quiet');
    for (const file of ['data/server.key', 'data/keepsake.db', 'agents/a.md'])
      writeFileSync(join(root, file), 'x');
    git('add', '.');
    expect(git('ls-files').trim().split('\n')).toEqual(['agents/a.md', 'keepsake.jsonc']);
  });

  test('a second time changes nothing', () => {
    const root = join(temporaryFolder(), 'w');
    const first = initWorkspace(root);
    writeFileSync(first.configFile, '{ "history": "high" } // mine');
    const second = initWorkspace(root, { name: 'other' });
    expect(second.created).toEqual([]);
    expect(second.kept).toEqual(first.created);
    expect(readFileSync(first.configFile, 'utf8')).toBe('{ "history": "high" } // mine');
  });

  test('leaves the permissions of a folder that was there as they are', () => {
    const root = temporaryFolder();
    chmodSync(root, 0o755);
    const { created, kept } = initWorkspace(root);
    expect(modeOf(root)).toBe(0o755);
    expect(kept).toEqual([root]);
    expect(created).toHaveLength(3);
  });

  test('keepsake.json counts as a configuration', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'keepsake.json'), '{}');
    expect(initWorkspace(root).configFile).toBe(join(root, 'keepsake.json'));
    expect(existsSync(join(root, 'keepsake.jsonc'))).toBe(false);
  });

  test('of processes that start together one writes, and the file is whole', async () => {
    const root = join(temporaryFolder(), 'w');
    const module = new URL('../../src/workspace/index.ts', import.meta.url).href;
    const script = `const { initWorkspace } = await import(${JSON.stringify(module)});
      process.stdout.write(JSON.stringify(initWorkspace(${JSON.stringify(root)}).created));`;
    const run = promisify(execFile);
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
    );
    const writers = runs.filter(({ stdout }) => JSON.parse(stdout).includes(join(root, 'keepsake.jsonc')));
    expect(writers).toHaveLength(1);
    expect(loadConfig({ workspace: root, env: {} }).config.memory.enabled).toBe(true);
  });

  test.each(['../x', 'x/y', ''])('the name %j is refused before anything is created', (name) => {
    const root = join(temporaryFolder(), 'w');
    expect(() => initWorkspace(root, { name })).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
    expect(existsSync(root)).toBe(false);
  });

  test('a file in the way', () => {
    const root = join(temporaryFolder(), 'w');
    writeFileSync(root, '');
    expect(() => initWorkspace(root)).toThrow(`${root} is a file, but a workspace needs a folder there`);
    expect(() => initWorkspace(join(root, 'below'))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    const other = temporaryFolder();
    writeFileSync(join(other, 'agents'), '');
    expect(() => initWorkspace(other)).toThrow(`${join(other, 'agents')} is a file`);
  });

  // Only Linux has /proc, where no folder can be made although its parent is there. In a process that can be ended,
  // because Node's own recursive mkdir never comes back from there.
  test.runIf(process.platform === 'linux')('a place where the system makes no folders', () => {
    const module = new URL('../../src/workspace/index.ts', import.meta.url).href;
    const script = `const { initWorkspace } = await import(${JSON.stringify(module)});
      try { initWorkspace('/proc/foo') } catch (error) { console.log(error.name, error.code, error.message) }`;
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    expect(signal).toBe(null);
    expect(stdout).toBe('KeepsakeError PERMISSION /proc/foo cannot be created: ENOENT.\n');
  });

  test('a folder that may not be written to', () => {
    const root = temporaryFolder();
    chmodSync(root, 0o555);
    const attempt = () => asOrdinaryUser(() => initWorkspace(root));
    expect(attempt).toThrow(expect.objectContaining({ code: 'PERMISSION' }));
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('the starter configuration', () => {
  const load = (text: string) => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'keepsake.jsonc'), text);
    return loadConfig({ workspace, env: {} }).config;
  };

  test('shows nothing but defaults in its comments', () => {
    const text = starterConfig({ schema: 'x' });
    const awake = text.replaceAll(/\/\/ (?=")/g, '');
    expect(awake.split('\n').filter((line) => /^\s*"/.test(line)).length).toBeGreaterThan(12);
    expect(load(awake)).toEqual(parseConfig({ $schema: 'x', memory: { enabled: true } }));
    expect(load(text)).toEqual(load(awake));
  });

  test('a name with any letters is written as JSON', () => {
    expect(load(starterConfig({ schema: 'x', name: 'Zoë 2.0' })).name).toBe('Zoë 2.0');
  });

  const installed = (folder: string) => {
    const file = join(folder, 'node_modules', 'keepsake', 'schema', 'keepsake.schema.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{}');
  };

  test('names the schema of a package that is installed at the workspace, or above it', () => {
    const project = temporaryFolder();
    installed(project);
    expect(schemaReference(project)).toBe('./node_modules/keepsake/schema/keepsake.schema.json');
    expect(schemaReference(join(project, 'a', 'b'))).toBe(
      '../../node_modules/keepsake/schema/keepsake.schema.json',
    );
  });

  test('names none from the cache of npx, which comes and goes, and says which to name', () => {
    const cached = '/home/me/.npm/_npx/0a1b/node_modules/keepsake/schema/keepsake.schema.json';
    expect(schemaReference(temporaryFolder(), cached)).toBe(undefined);
    const text = starterConfig({ schema: undefined, name: 'a' });
    expect(load(text).name).toBe('a');
    expect(load(text).$schema).toBe(undefined);
    const awake = text.replaceAll(/\/\/ (?=")/g, '');
    expect(load(awake).$schema).toBe('./node_modules/keepsake/schema/keepsake.schema.json');
  });

  test('from a clone: relative to it inside of it, and none elsewhere, where it would name a folder of one person', () => {
    const clone = '/home/me/keepsake/schema/keepsake.schema.json';
    expect(schemaReference('/home/me/keepsake', clone)).toBe('./schema/keepsake.schema.json');
    expect(schemaReference('/home/me/keepsake/examples/a', clone)).toBe('../../schema/keepsake.schema.json');
    expect(schemaReference('/home/me/keepsake-2', clone)).toBe(undefined);
    expect(schemaReference(temporaryFolder())).toBe(undefined);
  });

  test('names a package that is installed for the whole machine by its address', () => {
    const installed = '/usr/lib/node_modules/keepsake/schema/keepsake.schema.json';
    expect(schemaReference(temporaryFolder(), installed)).toBe(`file://${installed}`);
  });
});
