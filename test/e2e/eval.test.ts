/** `keepsake eval`, as a person measures a memory of their own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

const FACTS = [
  'The app uses Redis as its cache.',
  'Deploys run every Friday at noon.',
  'Alice owns billing.',
];

async function scene(cases: readonly object[]) {
  const cwd = temporaryWorkspace();
  for (const content of FACTS) await runCli(['memory', 'add', '--agent', 'helper', content], { cwd });
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return (...flags: string[]) => runCli(['eval', 'cases.jsonl', ...flags], { cwd });
}

it('says what was found, what came with it, and which questions should have got no answer', async () => {
  const evaluate = await scene([
    { query: 'which cache do we use?', expect: ['redis'] },
    { query: 'when do deploys run?', expect: ['every Friday'] },
    { query: 'zebra crossing xylophone', expect: [] },
    { query: 'who owns billing?', expect: ['Alice', 'a text that nobody stored'] },
  ]);
  const { code, stdout } = await evaluate('--json');
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report.cases).toBe(4);
  const [usual] = report.settings;
  expect(usual).toMatchObject({ setting: 'default', recall: 0.75, abstention: 1 });
  expect(report.settings.length).toBeGreaterThan(2);
  expect(report.misses).toEqual([
    { query: 'who owns billing?', missing: ['a text that nobody stored'], first: 'Alice owns billing.' },
  ]);
  const shown = await evaluate();
  expect(shown.stdout).toMatch(/default\s/);
  expect(shown.stdout).toContain('With the default, 1 case failed:');
  expect((await evaluate('--min-recall', '0.9')).code).toBe(1);
});

it('names the line that is not a case', async () => {
  const evaluate = await scene([{ query: 'x', expect: ['y'] }, { question: 'z' }]);
  const { code, stderr } = await evaluate();
  expect([code, stderr]).toEqual([64, expect.stringContaining('cases.jsonl:2 is not a case.')]);
});
