/** When the set-up installs, compiles, or leaves things alone. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources } from '../../scripts/setup/build.mjs';
import { whyInstall } from '../../scripts/setup/install.mjs';

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

describe('hashSources', () => {
  beforeEach(() => {
    for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json']) write(name, {});
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
