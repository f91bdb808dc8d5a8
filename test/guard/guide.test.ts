/** docs/guides/guard.md: its program runs and prints what the page says, and its table has the thresholds of the code. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { THRESHOLDS } from '../../src/guard/provenance.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/guard.md'), 'utf8');

it('B-34 B-35 the guide shows what happens', () => {
  const folder = temporaryFolder();
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;
  const program = join(folder, 'program.ts');
  const api = pathToFileURL(join(root, 'src/index.ts')).href;
  writeFileSync(program, block('ts').replace("'keepsake'", JSON.stringify(api)));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, WORKSPACE_DIR: folder },
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toBe(block('text'));
});

it('the guide knows the thresholds', () => {
  for (const [origin, threshold] of Object.entries(THRESHOLDS)) {
    expect(page).toMatch(new RegExp(`^\\|[^|]*\`${origin}\`[^|]*\\| ${threshold} \\|`, 'm'));
  }
});
