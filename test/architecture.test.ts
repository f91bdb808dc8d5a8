/** The shape of the code: who imports whom, and the house rules; each rule is also shown a file that breaks it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSources, type Sources } from './architecture/rules.ts';
import { ALLOWED, EXCEPTIONS, LAYERS } from './architecture/table.ts';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const declared = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
});

function readSources(): Sources {
  const names = readdirSync(join(root, 'src'), { encoding: 'utf8', recursive: true });
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name.split(sep).join('/'), readFileSync(join(root, 'src', name), 'utf8')]),
  );
}

describe('the source tree', () => {
  const sources = readSources();

  it('is there', () => {
    expect(Object.keys(sources)).toContain('kernel/errors.ts');
  });

  it('breaks no rule', () => {
    expect(checkSources(sources, declared).map(({ rule, message }) => `[${rule}] ${message}`)).toEqual([]);
  });

  it('needs every exception that the table grants', () => {
    const withoutMercy = checkSources(sources, declared, {}).map(({ rule, file }) => `${rule}: ${file}`);
    for (const [rule, files] of Object.entries(EXCEPTIONS)) {
      for (const file of Object.keys(files)) expect(withoutMercy).toContain(`${rule}: ${file}`);
    }
  });
});

describe('ARCHITECTURE.md', () => {
  it('shows the table that is checked', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const shown: Record<string, string[]> = {};
    for (const [, folders, imports] of text.matchAll(/^\| (`[^|]+`) \| ([^|]*) \|$/gm)) {
      const named = (cell: string): string[] =>
        [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(/\/$/, ''));
      for (const folder of named(folders!)) {
        const layers = imports!.includes('every layer before it')
          ? LAYERS.slice(0, LAYERS.indexOf(folder as (typeof LAYERS)[number]))
          : imports!.includes('every layer')
            ? LAYERS
            : [];
        const list = [...named(imports!), ...layers];
        shown[folder] = list.filter((name) => name !== folder).sort();
      }
    }
    const checked = Object.fromEntries(
      Object.entries(ALLOWED).map(([folder, list]) => [folder, [...list].sort()]),
    );
    expect(shown).toEqual(checked);
  });
});

describe('the order of the layers', () => {
  it('is the one that ARCHITECTURE.md lists', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| `([^`]+)` \|/gm)];
    expect(rows.map(([, , layer]) => layer)).toEqual(LAYERS);
    expect(rows.map(([, place]) => Number(place))).toEqual(LAYERS.map((_, i) => i + 1));
  });

  it.each(LAYERS.slice(1).map((layer, i) => [LAYERS[i]!, layer] as const))(
    '%s may not import %s, but the other way round',
    (before, after) => {
      const importing = (layer: string, other: string): string[] =>
        checkSources(
          {
            [`${layer}/a.ts`]: `/** A sentence that opens the file. */\nimport type { b } from '../${other}/index.ts';\n`,
          },
          declared,
        ).map(({ rule }) => rule);
      expect(importing(before, after)).toEqual(['direction']);
      expect(importing(after, before)).toEqual([]);
    },
  );
});

describe('each rule catches a planted violation', () => {
  const opening = '/** A sentence that opens the file. */\n';
  const cases: [rule: string, file: string, code: string][] = [
    ['direction', 'kernel/a.ts', "import { b } from '../ports/b.ts';"],
    ['direction', 'kernel/a.ts', "import type { b } from '../records/index.ts';"],
    ['direction', 'ports/a.ts', "export { b } from '../records/index.ts';"],
    ['direction', 'records/a.ts', "export * from '../verbs.ts';"],
    ['direction', 'drivers/sqlite/a.ts', "import { b } from '../../records/index.ts';"],
    ['direction', 'drivers/sqlite/a.ts', "import type { b } from '../../records/recall.ts';"],
    ['direction', 'records/rules/a.ts', "import { b } from '../recall.ts';"],
    ['direction', 'records/rules/a.ts', "import { b } from '../../guard/index.ts';"],
    ['direction', 'models/onnx/a.ts', "import { b } from '../../records/rules/b.ts';"],
    ['direction', 'surfaces/cli/a.ts', "import { b } from '../../records/rules/b.ts';"],
    ['direction', 'drivers/sqlite/a.ts', "import { b } from '../redis/client.ts';"],
    ['direction', 'drivers/common/a.ts', "import { b } from '../redis/client.ts';"],
    ['direction', 'drivers/sqlite/a.ts', "import { b } from '../../records/pipeline.ts';"],
    ['direction', 'models/static/a.ts', "import { b } from '../../records/rules/decide.ts';"],
    ['direction', 'records/rules/a.ts', "import { b } from '../pipeline.ts';"],
    ['direction', 'records/rules/a.ts', "import { b } from '../../working/rules/runs.ts';"],
    ['packages', 'records/rules/a.ts', "import { hash } from 'node:crypto';"],
    ['front-door', 'working/a.ts', "import { b } from '../records/rules/decide.ts';"],
    ['direction', 'drivers/search-kernels/a.ts', "import { b } from '../common/digest.ts';"],
    ['direction', 'adapters/mastra/a.ts', "import { b } from '../ai-sdk/b.ts';"],
    ['direction', 'adapters/common/a.ts', "import { b } from '../ai-sdk/b.ts';"],
    ['direction', 'adapters/ai-sdk/a.ts', "import { b } from '../../records/index.ts';"],
    ['direction', 'client/a.ts', "import { b } from '../adapters/common/b.ts';"],
    ['packages', 'client/a.ts', "import { b } from 'ai';"],
    [
      'direction',
      'drivers/search-kernels/text/a.ts',
      "import type { b } from '../../../ports/record-store.ts';",
    ],
    ['direction', 'administration/a.ts', "const b = await import('../surfaces/cli/main.ts');"],
    ['direction', 'surfaces/cli/a.ts', "type B = import('../../records/index.ts').B;"],
    ['direction', 'testing/a.ts', "import { b } from '../client/index.ts';"],
    ['direction', 'testing/a.ts', "import { b } from '../documents/index.ts';"],
    ['front-door', 'testing/a.ts', "import type { b } from '../documents/files.ts';"],
    ['direction', 'records/a.ts', "const name = 'x';\nawait import(name);"],
    ['direction', 'records/a.ts', "import { b } from '../../scripts/b.mjs';"],
    ['direction', 'helpers/a.ts', "import { b } from '../kernel/errors.ts';"],
    ['front-door', 'records/a.ts', "import { b } from '../documents/lock.ts';"],
    ['front-door', 'administration/a.ts', "import { b } from '../records/pipeline.ts';"],
    ['front-door', 'records/a.ts', "import { b } from '../config/schema.ts';"],
    ['front-door', 'client/a.ts', "import { b } from '../records/pipeline.ts';"],
    ['drivers', 'client/a.ts', "import { b } from '../drivers/sqlite/index.ts';"],
    ['drivers', 'client/a.ts', "await import('../drivers/sqlite/index.ts');"],
    ['drivers', 'config/registry.ts', "import { b } from '../drivers/sqlite/index.ts';"],
    ['browser', 'surfaces/inspector/page/a.ts', "import { b } from '../../../kernel/defined.ts';"],
    ['browser', 'surfaces/inspector/page/a.ts', "import { type b } from '../../../kernel/defined.ts';"],
    ['browser', 'surfaces/inspector/page/memory/a.ts', "await import('../../html.ts');"],
    ['browser', 'surfaces/inspector/page/a.ts', "import type { b } from '../../../operations/add.ts';"],
    ['browser', 'surfaces/inspector/page/a.ts', "import type { b } from '../../http/app.ts';"],
    ['browser', 'surfaces/inspector/a.ts', "import { b } from './page/call.ts';"],
    ['browser', 'surfaces/http/a.ts', "import type { b } from '../inspector/page/api.ts';"],
    ['front-door', 'surfaces/inspector/page/a.ts', "import type { b } from '../../../records/recall.ts';"],
    ['packages', 'surfaces/inspector/page/a.ts', "import { z } from 'zod';"],
    ['packages', 'surfaces/inspector/page/a.ts', "import { join } from 'node:path';"],
    ['packages', 'kernel/a.ts', "import { parse } from 'yaml';"],
    ['packages', 'kernel/a.ts', "import { readFileSync } from 'node:fs';"],
    ['packages', 'ports/a.ts', "import type { z } from 'zod';"],
    ['packages', 'records/rules/a.ts', "import { hash } from 'node:crypto';"],
    ['packages', 'records/a.ts', "import { b } from 'left-pad';"],
    ['packages', 'records/a.ts', "import { b } from '@scope/undeclared/deep';"],
    ['packages', 'records/a.ts', "import Database from 'better-sqlite3';"],
    ['packages', 'records/a.ts', "const b = require('left-pad');"],
    ['packages', 'records/a.ts', "const b = loadPackage('left-pad');"],
    ['direction', 'records/a.ts', "const name = 'x';\nloadPackage(name);"],
    ['named-exports', 'records/a.ts', 'export default 1;'],
    ['named-exports', 'records/a.ts', 'const b = 1;\nexport { b as default };'],
    ['environment', 'records/a.ts', 'const b = process.env.HOME;'],
    ['environment', 'records/a.ts', "const b = process['env'];"],
    ['environment', 'records/a.ts', 'const { env } = process;'],
    ['environment', 'records/a.ts', "import { env } from 'node:process';"],
    ['environment', 'records/a.ts', 'const b = globalThis.process.env;'],
    ['time-and-chance', 'records/a.ts', 'const b = Date.now();'],
    ['time-and-chance', 'records/a.ts', 'const b = new Date();'],
    ['time-and-chance', 'records/a.ts', 'const b = Math.random();'],
    ['size', 'records/a.ts', `const a = 1;${'\n'.repeat(400)}`],
    ['unfinished', 'records/a.ts', '// TODO: later'],
    ['unfinished', 'records/a.ts', '/* FIXME */'],
  ];

  const named = cases.map(([rule, file, code]) => ({
    rule,
    file,
    code,
    start: code.trim().replaceAll('\n', ' '),
  }));

  it.each(named)('$rule: src/$file with $start', ({ rule, file, code }) => {
    const found = checkSources({ [file]: `${opening}${code}\n` }, declared);
    expect(found.map((violation) => violation.rule)).toEqual([rule]);
  });

  it.each([
    ['no comment', 'export const a = 1;\n'],
    ['an empty comment', '/** */\nexport const a = 1;\n'],
    ['a label', '// records\nexport const a = 1;\n'],
    ['no end', '// these words have no end\nexport const a = 1;\n'],
  ])('opening: a file that opens with %s', (_, text) => {
    expect(checkSources({ 'records/a.ts': text }, declared).map(({ rule }) => rule)).toEqual(['opening']);
  });

  it.each([
    [
      'records/a.ts',
      "import { b } from '../documents/index.ts';\nimport type { Config } from '../config/schema.ts';",
    ],
    ['config/registry.ts', "export const b = () => import('../drivers/sqlite/index.ts');"],
    ['config/load.ts', 'export const b = process.env.HOME;'],
    ['client/a.ts', "import { b } from '../config/registry.ts';"],
    ['testing/a.ts', "import type { b } from '../documents/index.ts';"],
    ['kernel/clock.ts', 'export const b = Date.now();'],
    [
      'surfaces/inspector/page/memory/a.ts',
      "import type { b } from '../../../../records/index.ts';\nimport { c } from '../call.ts';",
    ],
    ['surfaces/inspector/page/a.ts', "import type { b } from '../html.ts';"],
    ['kernel/a.ts', "import { b } from 'tokenx';\nimport { c } from './errors.ts';"],
    ['drivers/sqlite/a.ts', "import Database from 'better-sqlite3';\nimport { b } from '../../ports/b.ts';"],
    ['drivers/postgres/a.ts', "import { b } from '../common/digest.ts';"],
    ['drivers/postgres/a.ts', "import { b } from '../../working/rules/runs.ts';"],
    ['working/rules/a.ts', "import { b } from './b.ts';\nimport type { c } from '../../ports/c.ts';"],
    ['drivers/common/a.ts', "import { b } from '../search-kernels/vectors/dot.ts';"],
    [
      'adapters/ai-sdk/a.ts',
      "import { b } from '../common/b.ts';\nimport { c } from '../../client/index.ts';\nimport { tool } from 'ai';",
    ],
    ['drivers/search-kernels/text/a.ts', "import { b } from '../../../kernel/analysis.ts';"],
    ['drivers/common/a.ts', "import { b } from '../../records/rules/b.ts';"],
    ['records/a.ts', "import { b } from './rules/b.ts';"],
    ['records/rules/a.ts', "import { b } from './b.ts';\nimport type { C } from '../../ports/c.ts';"],
    ['surfaces/cli/a.ts', "import { b } from '../../client/index.ts';\nimport { join } from 'node:path';"],
    [
      'records/a.ts',
      'export const b = new Date(0);\n/** Not `export default`, not process.env: only words. */',
    ],
    ['records/a.ts', 'export const b = "import { c } from \'../surfaces/cli/main.ts\'";'],
  ])('and lets an honest file pass: src/%s', (file, code) => {
    expect(checkSources({ [file]: `${opening}${code}\n` }, declared)).toEqual([]);
  });
});

describe('importing the package', () => {
  /** The npm packages that a fresh process has loaded once the import is done. */
  function packagesLoadedBy(specifier: string): string[] {
    const program = `
      import { registerHooks } from 'node:module';
      const urls = [];
      registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
      await import(${JSON.stringify(specifier)});
      console.log(JSON.stringify(urls));`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const names = (JSON.parse(stdout) as string[]).map(
      (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1],
    );
    return [...new Set(names.filter((name) => name !== undefined))].sort();
  }

  it('loads no driver, no command line and no optional package before the first use', () => {
    const loaded = packagesLoadedBy(pathToFileURL(join(root, 'src/index.ts')).href);
    const small = ['jsonc-parser', 'tokenx', 'zod'];
    expect(loaded.filter((name) => !small.includes(name))).toEqual([]);
  });

  it('would notice a package that is loaded', () => {
    expect(packagesLoadedBy('better-sqlite3')).toContain('better-sqlite3');
  });
});
