/** Whether a command exists and takes the flags that a page or a file gives it. */
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { type CommandEntry, commandTree } from '../../../src/surfaces/cli/commands/completion/tree.ts';
import { Context } from '../../../src/surfaces/cli/context.ts';
import { Output } from '../../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../../src/surfaces/cli/program.ts';
import { splitWords } from './commands.ts';

let tree: readonly CommandEntry[] | undefined;

async function allCommands(): Promise<readonly CommandEntry[]> {
  const context = new Context(new Output({ json: false, quiet: false, color: false }), undefined);
  tree ??= commandTree(
    await buildProgram(
      context,
      COMMANDS.map(({ name }) => name),
    ),
  );
  return tree;
}

/** What is wrong with the words behind `keepsake`; undefined if nothing is. */
export async function problemWith(line: string): Promise<string | undefined> {
  const commands = await allCommands();
  const words = splitWords(line);
  let entry = commands[0]!;
  const flags = new Set<string>();
  for (const word of words) {
    if (word === '--') break;
    if (/^--[a-z]/.test(word)) {
      flags.add(word.split('=')[0]!);
      continue;
    }
    const below = commands.find(({ path }) => path.join(' ') === [...entry.path, word].join(' '));
    if (below !== undefined) entry = below;
    else if (entry.path.length === 0) return `there is no command ${word}`;
  }
  const unknown = [...flags].filter(
    (flag) => !entry.flags.some(({ name }) => name === flag || flag === '--version'),
  );
  return unknown.length === 0 ? undefined : `${entry.path.join(' ')} does not take ${unknown.join(', ')}`;
}
