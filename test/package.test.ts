/** What package.json promises, and the small program that every `keepsake` command starts with. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('package.json', () => {
  it('exports only what a source file stands behind', () => {
    for (const target of Object.values<string | Record<string, string>>(manifest.exports)) {
      const path = typeof target === 'string' ? target : target.types!;
      const source = path.replace(/^\.\/dist\//, './src/').replace(/\.d\.ts$/, '.ts');
      expect(existsSync(join(root, source)), source).toBe(true);
    }
  });

  it('pins every dependency to one version', () => {
    const versions = Object.values<string>({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^(?:npm:[^@]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('leaves installing without a build step of its own', () => {
    expect(Object.keys(manifest.scripts)).not.toContain('prepare');
    expect(Object.keys(manifest.scripts).filter((name) => name.endsWith('install'))).toEqual([]);
  });
});

describe('bin/keepsake.js', () => {
  /** Makes the Node that loads it believe to be old; a child does not inherit it. */
  const old = [
    '--import',
    'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})',
  ];

  let folder: string;
  let shim: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keepsake-shim-'));
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    shim = join(folder, 'bin/keepsake.js');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Puts a command line into the copied package, in place of the compiled one. */
  function withMain(body: string): void {
    mkdirSync(join(folder, 'dist/bundle'), { recursive: true });
    writeFileSync(
      join(folder, 'dist/bundle/main.cjs'),
      `exports.run = async function run(argv) {\n${body}\n};\n`,
    );
  }

  function withPinnedNode(version: string, where = 'node_modules/node'): void {
    mkdirSync(join(folder, where, 'bin'), { recursive: true });
    writeFileSync(join(folder, where, 'package.json'), JSON.stringify({ version }));
    symlinkSync(process.execPath, join(folder, where, 'bin/node'));
  }

  const start = (nodeArgs: string[], args: string[], input = '') =>
    spawnSync(process.execPath, [...nodeArgs, shim, ...args], { encoding: 'utf8', input });

  it.each(['--version', '-V', '-v', 'version'])(
    'answers %s with the bare version, built or not, on any Node',
    (flag) => {
      for (const nodeArgs of [[], old]) {
        const { status, stdout, stderr } = start(nodeArgs, [flag]);
        expect({ status, stdout, stderr }).toEqual({
          status: 0,
          stdout: `${manifest.version}\n`,
          stderr: '',
        });
      }
    },
  );

  it('hands the arguments to the command line and passes on its exit code', () => {
    withMain('console.log(JSON.stringify(argv)); return 66;');
    const { status, stdout } = start([], ['memory', 'get', '--version', 'two words']);
    expect(status).toBe(66);
    expect(JSON.parse(stdout)).toEqual(['memory', 'get', '--version', 'two words']);
  });

  it('says how to build a checkout that is not built', () => {
    const { status, stdout, stderr } = start([], ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]*"npm run build"[^\n]*\n$/);
  });

  it('keeps compiled code in a folder that only its user can write', () => {
    withMain('return 0;');
    const cache = join(folder, 'node-compile-cache');
    const env = { ...process.env, TMPDIR: folder };
    const startThere = () => spawnSync(process.execPath, [shim, 'doctor'], { env });
    expect(startThere().status).toBe(0);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache)).not.toEqual([]);

    rmSync(cache, { recursive: true });
    mkdirSync(cache);
    chmodSync(cache, 0o777);
    expect(startThere().status).toBe(0);
    expect(readdirSync(cache)).toEqual([]);
  });

  it('moves from an old Node to the pinned one, with arguments, input, output and exit code', () => {
    withPinnedNode('24.21.0');
    withMain(`
      for await (const chunk of process.stdin) process.stdout.write('in:' + chunk);
      process.stderr.write(JSON.stringify(argv) + process.versions.node);
      return 75;`);
    const { status, stdout, stderr } = start(old, ['a', '--b', 'c d'], 'hello');
    expect({ status, stdout }).toEqual({ status: 75, stdout: 'in:hello' });
    expect(stderr).toBe(`["a","--b","c d"]${process.versions.node}`);
  });

  it('finds a pinned Node that npm put beside the package', () => {
    const home = join(folder, 'node_modules/keepsake');
    cpSync(join(folder, 'bin'), join(home, 'bin'), { recursive: true });
    cpSync(join(folder, 'package.json'), join(home, 'package.json'));
    withMain('return 7;');
    cpSync(join(folder, 'dist'), join(home, 'dist'), { recursive: true });
    withPinnedNode('24.21.0');
    shim = join(home, 'bin/keepsake.js');
    expect(start(old, ['doctor']).status).toBe(7);
  });

  it.each([
    ['there is no pinned one', undefined],
    ['the pinned one is old as well', '22.12.0'],
  ])('refuses an old Node in one sentence when %s', (_, pinned) => {
    if (pinned !== undefined) withPinnedNode(pinned);
    withMain('return 0;');
    const { status, stdout, stderr } = start(old, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Keepsake needs Node 22\.14 or newer and this is 20\.20\.2: [^\n]+\n$/);
  });

  it('answers a hook with {} where its files are damaged; any other command fails', () => {
    withMain('} this is no program {');
    expect(start([], ['hook', 'session-start'], '{}')).toMatchObject({ status: 0, stdout: '{}\n' });
    expect(start([], ['doctor']).status).toBe(1);
  });

  it('answers a hook with {} where it cannot run at all: memory must never be in the way', () => {
    withMain('return 0;');
    const { status, stdout, stderr } = start(old, ['hook', 'session-start'], '{}');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{}\n' });
    expect(stderr).toMatch(/^Keepsake needs Node/);
  });

  describe('between an old Node and the pinned one', () => {
    /** Starts a command line that waits, and resolves once it says that it does. */
    async function startWaiting(body: string): Promise<ChildProcessWithoutNullStreams> {
      withPinnedNode('24.21.0');
      withMain(`${body}\nconsole.log('waiting'); return new Promise(() => setInterval(() => {}, 1000));`);
      const child = spawn(process.execPath, [...old, shim, 'wait']);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return child;
    }

    const end = (child: ChildProcessWithoutNullStreams): Promise<[number | null, string | null]> =>
      new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));

    it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
      'passes on %s, and the exit code that answers it',
      async (signal) => {
        const child = await startWaiting(`process.on('${signal}', () => process.exit(42));`);
        const ended = end(child);
        child.kill(signal);
        expect(await ended).toEqual([42, null]);
      },
    );

    it('ends by the signal that ended the child', async () => {
      const child = await startWaiting('');
      const ended = end(child);
      child.kill('SIGTERM');
      expect(await ended).toEqual([null, 'SIGTERM']);
    });
  });
});
