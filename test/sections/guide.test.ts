/** docs/guides/sections.md: its program runs, prints what the page says, and leaves the file that the page shows. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { makeWorkspace } from './fixture.ts';

const root = join(import.meta.dirname, '../..');

it('D-15 D-24 D-26: the guide shows what happens', () => {
  const workspace = makeWorkspace();
  const page = readFileSync(join(root, 'docs/guides/sections.md'), 'utf8');
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;
  const program = join(workspace.root, 'program.ts');
  const api = pathToFileURL(join(root, 'src/index.ts')).href;
  writeFileSync(program, block('ts').replace("'keepsake'", JSON.stringify(api)));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: { ...process.env, WORKSPACE_DIR: workspace.root },
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toBe(block('text'));
  expect(workspace.text()).toBe(block('md'));
});
