/** docs/guides/language-models.md: its program runs and prints what the page says, and its settings are valid. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { type ConfigInput, parseConfig } from '../../src/config/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/language-models.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);

it('the program of the guide prints what the guide shows', () => {
  const program = join(temporaryFolder(), 'program.ts');
  const api = pathToFileURL(join(root, 'src/testing/index.ts')).href;
  writeFileSync(program, blocks('ts')[0]!.replace("'keepsake/testing'", JSON.stringify(api)));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toBe(blocks('text')[0]);
});

it('the settings of the guide are valid', () => {
  const settings = blocks('jsonc').map((text) => parse(text) as ConfigInput);
  expect(settings.map((one) => parseConfig(one).models.main)).toEqual([
    'openai/gpt-5',
    'compatible/qwen3-8b',
    'none',
  ]);
});
