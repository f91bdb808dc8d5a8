/** docs/guides/swarms.md: its program prints what the page says, its other examples work, its settings are valid. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { type ConfigInput, parseConfig } from '../../../src/config/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/swarms.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);
const address = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).href);

function run(program: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'program.ts');
  const linked = program
    .replace("'keepsake'", address('src/index.ts'))
    .replace("'keepsake/testing'", address('src/testing/index.ts'));
  writeFileSync(file, linked);
  const env = { ...process.env, WORKSPACE_DIR: folder };
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  return { stdout, stderr, status };
}

const [first = '', byHand = '', working = ''] = blocks('ts');

it('C-01 C-25 the program of the guide prints what the guide shows', () => {
  expect(run(first)).toEqual({ stdout: blocks('text')[0], stderr: '', status: 0 });
});

it('C-01 C-25 E-33 the guide names the three levels of memory, and what is worth keeping', () => {
  const rows = page.match(/^\| (short-term|working|long-term) \|.*$/gm)!;
  expect(
    rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  ).toEqual([
    ['short-term', expect.stringContaining('prompt'), 'one agent', 'one session'],
    ['working', expect.stringContaining('JSON'), expect.stringContaining('all'), 'until the run ends'],
    ['long-term', expect.stringContaining('swarm-memory'), expect.stringContaining('everyone'), 'for good'],
  ]);
  const [, worth = '', not = ''] =
    /What is worth keeping:([\s\S]*?)What is not:([\s\S]*?)\n\n/.exec(page) ?? [];
  for (const word of ['solved', 'patterns', 'mistakes', 'settings', 'lead', 'user'])
    expect(worth).toContain(word);
  for (const word of ['present task', 'nobody has checked', 'documentation']) expect(not).toContain(word);
});

it('the other examples work', () => {
  const setup = first.slice(0, first.indexOf('const { run, output'));
  // The feed has no end while the run goes on; and the run goes on until it is complete.
  const shown = working.replace(
    'console.log(by, op, path, at);',
    '{ console.log(by, op, path, typeof at); break; }',
  );
  const steps = byHand.replace(
    'await run.complete();',
    `setTimeout(() => run.state.set('heard', true), 100);\n${shown}\nawait run.complete();\nconsole.log(run.status);`,
  );
  const said = '@program set /heard number\ncompleted\n';
  expect(run(setup + steps)).toEqual({ stdout: said, stderr: '', status: 0 });
});

it('the settings of the guide are valid', () => {
  const [swarms, settings] = blocks('jsonc').map(
    (text) => parse(text, [], { allowTrailingComma: true }) as ConfigInput,
  );
  expect(parseConfig(swarms!).swarms['market-research']).toMatchObject({ lead: 'editor', budget: 1 });
  expect(parseConfig(settings!).storage.state).toEqual({ driver: 'redis', url: 'redis://127.0.0.1:6379' });
});
