/** The programs of every page compile, strictly, with the types that the built package has. */
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../../docs/support/follow-page.ts';
import { programOf } from '../../docs/support/programs.ts';
import { programsOnPath } from '../../docs/support/programs-on-path.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { FOLLOWED } from './pages/index.ts';

const root = join(import.meta.dirname, '../../..');

it('the programs of all pages compile', () => {
  const folder = temporaryFolder();
  let count = 0;
  for (const [page, { assumed }] of Object.entries(FOLLOWED)) {
    const blocks = blocksOf(page).filter(({ language }) => language === 'ts');
    if (blocks.length === 0) continue;
    count += blocks.length;
    const name = `${page.replaceAll(/[^\w]/g, '_')}.ts`;
    writeFileSync(join(folder, name), programOf(blocks, { root, assumed: assumed?.types ?? '' }));
  }
  expect(count).toBeGreaterThan(20);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: true, rootDir: '/', noUnusedLocals: false, rewriteRelativeImportExtensions: false },
      // Those of the package itself are checked by package.test.ts, once.
      skipLibCheck: true,
    },
    include: [`${folder}/*.ts`],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  symlinkSync(programsOnPath().modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    ...{ encoding: 'utf8', cwd: root },
  });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});
