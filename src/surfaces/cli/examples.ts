/** The examples at the bottom of a help page. */
import type { Command } from 'commander';
import type { Context } from './context.ts';

/** The examples of each command, so that the reference shows what the help shows. */
const examplesOf = new WeakMap<Command, readonly string[]>();

export function addExamples(command: Command, lines: readonly string[], { output }: Context): void {
  examplesOf.set(command, lines);
  command.addHelpText('after', () =>
    ['', output.paint('bold', 'Examples:'), ...lines.map((line) => `  ${line}`)].join('\n'),
  );
}

export function readExamples(command: Command): readonly string[] {
  return examplesOf.get(command) ?? [];
}
