/** When the set-up installs, compiles, or leaves things alone. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources } from '../../scripts/setup/build.mjs';
import { explainNpm, whyInstall, whyNode } from '../../scripts/setup/install.mjs';
import { useTestFolder } from '../../scripts/setup/test-folder.mjs';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-setup-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: unknown): void {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('whyInstall', () => {
  const wanted = { '': { version: '0.1.0' }, 'node_modules/zod': { version: '4.0.0' } };
  const installed = { 'node_modules/zod': { version: '4.0.0' } };

  it('installs when nothing is there', () => {
    write('package-lock.json', { packages: wanted });
    expect(whyInstall(folder)).toBe('they are not installed yet');
  });

  it('leaves an install alone that matches the lockfile', () => {
    write('package-lock.json', { packages: wanted });
    write('node_modules/.package-lock.json', { packages: installed });
    expect(whyInstall(folder)).toBeUndefined();
  });

  it('installs when a package is missing or has another version', () => {
    write('package-lock.json', { packages: { ...wanted, 'node_modules/@a/b': { version: '1.0.0' } } });
    write('node_modules/.package-lock.json', { packages: installed });
    expect(whyInstall(folder)).toBe('@a/b 1.0.0 is missing');
    write('package-lock.json', { packages: { 'node_modules/zod': { version: '4.0.1' } } });
    expect(whyInstall(folder)).toBe('zod 4.0.1 is wanted and 4.0.0 is there');
  });

  it('does not miss packages for other platforms', () => {
    const other = { 'node_modules/esbuild-win': { version: '1.0.0', optional: true, os: ['win32'] } };
    write('package-lock.json', { packages: { ...wanted, ...other } });
    write('node_modules/.package-lock.json', { packages: installed });
    expect(whyInstall(folder)).toBeUndefined();
  });
});

describe('whyNode', () => {
  const wanted = { 'node_modules/node': { version: '24.0.0' } };

  it('notices a package whose binary never came', () => {
    write('package-lock.json', { packages: wanted });
    write('node_modules/.package-lock.json', { packages: wanted });
    write('node_modules/node/package.json', { version: '24.0.0' });
    expect(whyInstall(folder)).toBeUndefined();
    expect(whyNode(folder)).toBe('the pinned one is not there yet');
    write(process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node', '');
    expect(whyNode(folder)).toBeUndefined();
  });

  it('asks for none where none is pinned', () => {
    write('package-lock.json', { packages: {} });
    expect(whyNode(folder)).toBeUndefined();
  });
});

describe('explainNpm', () => {
  it('blames the network only when it was the network', () => {
    const offline = explainNpm('npm error code EAI_AGAIN\nnpm error errno EAI_AGAIN\n');
    expect(offline).toMatch(
      /^The registry of npm could not be reached.*\nnpm said:\n {2}npm error code EAI_AGAIN/,
    );
    const full = explainNpm('npm error code ENOSPC\nnpm error nospc no space left on device\n');
    expect(full).toBe('npm said:\n  npm error code ENOSPC\n  npm error nospc no space left on device');
  });

  it('quotes the end of a long output, and nothing of an empty one', () => {
    const long = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    const lines = explainNpm(long).split('\n');
    expect(lines).toHaveLength(16);
    expect(lines.at(-1)).toBe('  line 99');
    expect(explainNpm('')).toBe('');
  });
});

/** A machine with Node and an npm that says what it was asked for, and nothing else. */
describe('ensureInstalled', () => {
  it('lets npm run no script but that of the pinned Node', () => {
    for (const name of ['run.mjs', 'install.mjs']) {
      write(`scripts/setup/${name}`, readFileSync(join(root, 'scripts/setup', name), 'utf8'));
    }
    write('package.json', { engines: { node: '>=22.14' } });
    write('package-lock.json', { packages: { 'node_modules/node': { version: '24.0.0' } } });
    write(
      'bin/npm',
      `#!/bin/sh
echo "$*" >> ${join(folder, 'calls')}
if [ "$1" = rebuild ]; then mkdir -p node_modules/node/bin && ln -s ${process.execPath} node_modules/node/bin/node; fi
`,
    );
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const script = "import('./scripts/setup/install.mjs').then((setup) => setup.ensureInstalled())";
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['ping', 'install', 'rebuild']);
    expect(calls[1]).toContain(' --ignore-scripts ');
    expect(calls[2]).toMatch(/^rebuild node --ignore-scripts=false /);
  });
});

describe('hashSources', () => {
  beforeEach(() => {
    for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json']) write(name, {});
    for (const name of ['bundle.mjs', 'bundle-package.mjs', 'bundle-inspector.mjs']) {
      write(`scripts/setup/${name}`, {});
    }
    write('src/a.ts', 'one');
    write('src/deep/b.ts', 'two');
  });

  it('stays the same until a source or a setting changes', () => {
    const before = hashSources(folder);
    expect(hashSources(folder)).toBe(before);
    write('src/deep/b.ts', 'three');
    expect(hashSources(folder)).not.toBe(before);
    write('src/deep/b.ts', 'two');
    expect(hashSources(folder)).toBe(before);
    write('tsconfig.json', { strict: true });
    expect(hashSources(folder)).not.toBe(before);
  });

  it('notices a file that was renamed', () => {
    const before = hashSources(folder);
    renameSync(join(folder, 'src/a.ts'), join(folder, 'src/c.ts'));
    expect(hashSources(folder)).not.toBe(before);
  });
});

describe('useTestFolder', () => {
  it('makes a folder that everybody may write to, on the disk where that is wanted, and removes it', () => {
    const env: NodeJS.ProcessEnv = { KEEPSAKE_TEST_ON_DISK: '1' };
    const remove = useTestFolder(env);
    const made = env.TMPDIR!;
    expect(dirname(made)).toBe(tmpdir());
    expect(statSync(made).mode & 0o7777).toBe(0o1777);
    writeFileSync(join(made, 'anything'), '');
    remove();
    expect(existsSync(made)).toBe(false);
  });

  it('keeps the folder that a program above has made', () => {
    const env: NodeJS.ProcessEnv = { KEEPSAKE_TEST_ON_DISK: '1' };
    const remove = useTestFolder(env);
    const made = env.TMPDIR!;
    useTestFolder(env)();
    expect(env.TMPDIR).toBe(made);
    expect(existsSync(made)).toBe(true);
    remove();
  });

  it('removes what a killed run has left, and nothing of a run that is under way', () => {
    const { pid: ended } = spawnSync('true');
    const [dead, alive] = [ended, process.pid].map((pid) => join(tmpdir(), `kt-${pid.toString(36)}-left`));
    for (const folder of [dead!, alive!]) mkdirSync(folder);
    useTestFolder({ KEEPSAKE_TEST_ON_DISK: '1' })();
    expect([dead!, alive!].map((folder) => existsSync(folder))).toEqual([false, true]);
    rmSync(alive!, { recursive: true });
  });
});
