/** The reference of the command line shows what the commands print: they are run again, and every command is shown or has a reason. */
import { expect, it } from 'vitest';
import recorded from '../../scripts/cli-docs/output.json' with { type: 'json' };
import { runSession } from '../../scripts/cli-docs/session.ts';
import { NOT_SHOWN } from '../../scripts/cli-docs/steps.ts';
import { generatedReference } from '../../scripts/generate-cli-docs.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Without ids, numbers and the widths of columns, which differ from run to run. */
const steady = (text: string): string =>
  text
    .replaceAll(/\b(?:mem|msg|run|ses|qtn|ers)_[0-9a-z]+/g, 'id')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/(?<=\b|_)[0-9a-f]{12,64}(?=\b|_)/g, 'digest')
    .replaceAll(/· [0-9a-z]{8}\]/g, '· id]')
    // A comparison of two files shows them only if they differ.
    .replaceAll(/^[-+] \*\*Created:.*\n/gm, '')
    // How many vectors a command leaves for later depends on its speed.
    .replaceAll(/^(?:All \d+ memories have their vectors\.|✓ Made \d+ vectors? with .*)$/gm, 'vectors')
    .replaceAll(/\d+/g, '0')
    // A second archive in the same second has a number.
    .replaceAll(/(history_0-0-0_0-0-0)_0\.md/g, '$1.md')
    .replaceAll(/ +/g, ' ');

it('prints what the reference shows; else run "npm run docs:cli"', async () => {
  const now = await runSession(temporaryFolder());
  const parts = ({ line, code, output }: (typeof now)[number]) => ({
    line: steady(line),
    code,
    output: steady(output),
  });
  expect(now.map(parts)).toEqual(recorded.map(parts));
  expect(now.filter(({ code }) => code !== 0)).toEqual([]);
});

it('shows the output of every command, or there is a reason', async () => {
  const { text } = await generatedReference();
  const commands = text.split(/^#{2,3} (?=keepsake)/m).slice(1);
  const without = commands
    .filter((section) => section.includes('```sh') && !section.includes('```console'))
    .map((section) => section.split('\n')[0]!);
  expect(without.sort()).toEqual(Object.keys(NOT_SHOWN).sort());
});
