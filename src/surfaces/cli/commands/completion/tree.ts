/** The command tree as data, for the completions of every shell. */
import type { Command, Option } from 'commander';

export interface FlagEntry {
  /** With its dashes. */
  readonly name: string;
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CommandEntry {
  /** The words that lead to it; empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly FlagEntry[];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function flagOf({ long, description, argChoices, required, optional }: Option): FlagEntry[] {
  if (long == null) return [];
  const takesValue = required || optional;
  return [{ name: long, summary: oneLine(description), takesValue, choices: argChoices ?? [] }];
}

/** "One of manual, extracted". */
function choicesIn(description: string): string[] | undefined {
  return /\bone of ([\w-]+(?:, [\w-]+)+)/i.exec(description)?.[1]?.split(', ');
}

/** Choices that our own flags have in words only: `--state <live|expired>`, or in their description. */
function withShownChoices({ flags, description }: Option, flag: FlagEntry): FlagEntry {
  const shown = /<([\w-]+(?:\|[\w-]+)+)>/.exec(flags)?.[1]?.split('|') ?? choicesIn(description);
  return flag.choices.length > 0 || shown === undefined ? flag : { ...flag, choices: shown };
}

/** What may follow a command without verbs of its own: one of the values of its argument, where those are few. */
function values({ registeredArguments: [first] }: Command): CommandEntry['children'] {
  const names = first?.argChoices ?? choicesIn(first?.description ?? '') ?? [];
  return names.map((name) => ({ name, summary: '' }));
}

/** Every command with the flags that may follow it, those of the program included. */
export function commandTree(program: Command): CommandEntry[] {
  const global = program.options;
  const visit = (command: Command, path: readonly string[]): CommandEntry[] => {
    const own = command === program ? [] : command.options;
    const options = [...own, ...global].filter(({ hidden }) => !hidden);
    const children = command.commands.filter((child) => child.name() !== 'help');
    return [
      {
        path,
        summary: oneLine(command.summary() || command.description()),
        children:
          children.length === 0
            ? values(command)
            : children.map((child) => ({
                name: child.name(),
                summary: oneLine(child.summary() || child.description()),
              })),
        flags: [
          ...options.flatMap((option) => flagOf(option).map((flag) => withShownChoices(option, flag))),
          { name: '--help', summary: 'Print help', takesValue: false, choices: [] },
        ],
      },
      ...children.flatMap((child) => visit(child, [...path, child.name()])),
    ];
  };
  return visit(program, []);
}
