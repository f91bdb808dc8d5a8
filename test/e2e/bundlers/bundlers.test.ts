/** A program that bundles Keepsake remembers and searches by meaning, or says loudly what it lacks. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { type App, COMMONJS_PROGRAM, FOUND, makeApp, run } from './app.ts';

let app: App;
let common: App;

beforeAll(() => {
  app = makeApp();
  common = makeApp(COMMONJS_PROGRAM);
});

afterAll(() => {
  app.remove();
  common.remove();
});

async function withEsbuild(format: 'esm' | 'cjs', { entry, folder }: App): Promise<string> {
  const outfile = join(folder, 'out', format === 'esm' ? 'esbuild.mjs' : 'esbuild.cjs');
  const { errors } = await esbuild({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'silent',
  });
  expect(errors).toEqual([]);
  return outfile;
}

async function withRolldown({ entry, folder }: App): Promise<string> {
  const build = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
  await build.write({ file: join(folder, 'out/rolldown.mjs'), format: 'esm', codeSplitting: false });
  await build.close();
  return join(folder, 'out/rolldown.mjs');
}

async function withWebpack({ entry, folder }: App): Promise<string> {
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    webpack(
      {
        entry,
        target: 'node22',
        mode: 'production',
        optimization: { minimize: false },
        context: folder,
        experiments: { outputModule: true },
        output: {
          path: join(folder, 'out-webpack'),
          filename: 'app.mjs',
          module: true,
          chunkFormat: 'module',
        },
      },
      (error, result) => (result === undefined ? reject(error) : resolve(result)),
    );
  });
  expect(stats.toJson({ all: false, errors: true, warnings: true })).toMatchObject({
    errors: [],
    warnings: [],
  });
  return join(folder, 'out-webpack/app.mjs');
}

async function withVite({ entry, folder }: App): Promise<string> {
  await vite({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    // By default Vite leaves packages out of a build for servers; this takes Keepsake in.
    ssr: { noExternal: true },
    build: { ssr: entry, outDir: 'out-vite', rolldownOptions: { output: { entryFileNames: 'app.mjs' } } },
  });
  return join(folder, 'out-vite/app.mjs');
}

describe('a program that bundles Keepsake finds by meaning', () => {
  it.each([
    ['esbuild, ESM', () => withEsbuild('esm', app)],
    ['esbuild, CommonJS', () => withEsbuild('cjs', common)],
    ['rolldown', () => withRolldown(app)],
    ['webpack', () => withWebpack(app)],
    ['Vite, for servers', () => withVite(app)],
  ])('%s', async (_, build) => {
    const file = await build();
    expect(run(file, tmpdir())).toEqual({ status: 0, printed: FOUND, stderr: '' });
  });
});

describe('a bundle that was taken away from its node_modules', () => {
  let elsewhere: string;
  const file = () => join(elsewhere, 'app.mjs');

  beforeAll(async () => {
    elsewhere = mkdtempSync(join(tmpdir(), 'keepsake-elsewhere-'));
    cpSync(await withEsbuild('esm', app), file());
  });

  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  it('refuses to run without search by meaning and says what to do', () => {
    const { status, stderr } = run(file(), elsewhere);
    expect(status).not.toBe(0);
    expect(stderr).toContain('The files of the package keepsake are missing.');
    expect(stderr).toContain('copy node_modules/keepsake/models to keepsake/models beside the bundle');
  });

  it('names better-sqlite3 when only that is missing', () => {
    mkdirSync(join(elsewhere, 'keepsake'));
    cpSync(join(app.folder, 'node_modules/keepsake/models'), join(elsewhere, 'keepsake/models'), {
      recursive: true,
    });
    const { status, stderr } = run(file(), elsewhere);
    expect(status).not.toBe(0);
    expect(stderr).toContain('The package better-sqlite3 is not beside this program.');
    expect(stderr).toContain('npm install better-sqlite3');
  });

  it('works once both are beside it', () => {
    mkdirSync(join(elsewhere, 'node_modules'));
    symlinkSync(
      join(app.folder, 'node_modules/better-sqlite3'),
      join(elsewhere, 'node_modules/better-sqlite3'),
    );
    expect(run(file(), elsewhere)).toEqual({ status: 0, printed: FOUND, stderr: '' });
  });
});
