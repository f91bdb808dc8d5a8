/** Help pages: commands first, then what one command takes, and the global flags in one line. */
import type { Command, Help } from 'commander';
import type { Paint } from './terminal/paint.ts';

type Item = readonly [term: string, description: string];

/** Groups in the order in which their first member was defined. */
function grouped<T>(
  all: readonly T[],
  groupOf: (each: T) => string,
  toItem: (each: T) => Item,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const each of all) {
    const group = groupOf(each);
    groups.set(group, [...(groups.get(group) ?? []), toItem(each)]);
  }
  return groups;
}

/** `add [content...]` instead of `add [options] [content...]`: that a command has options goes without saying. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

/** Aliases have a line of their own. */
function usageOf(command: Command, helper: Help): string {
  const withAlias = `${command.name()}|${command.alias()}`;
  return helper.commandUsage(command).replace(withAlias, command.name()).replace('[options]', '[flags]');
}

function formatHelp(command: Command, helper: Help, paint: Paint): string {
  const width = helper.helpWidth ?? 80;
  const sections = new Map<string, Item[]>([
    ...grouped(
      helper.visibleCommands(command),
      (child) => child.helpGroup() || 'Commands:',
      (child) => [subcommandTerm(child), child.summary() || child.description()],
    ),
    ...grouped(
      command.registeredArguments,
      () => 'Arguments:',
      (argument) => [argument.name(), argument.description],
    ),
    ...grouped(
      helper.visibleOptions(command),
      () => (command.parent === null ? 'Global flags:' : 'Flags:'),
      (option) => [option.flags, helper.optionDescription(option)],
    ),
  ]);
  // Answered before the tree is built, so the tree does not know it.
  if (command.parent === null) sections.get('Global flags:')?.push(['--version', 'Print the version']);
  const termWidth = Math.max(...[...sections.values()].flat().map(([term]) => term.length));
  const lines = [
    `${paint('bold', 'Usage:')} ${usageOf(command, helper)}`,
    '',
    helper.boxWrap(helper.commandDescription(command), width),
    ...(command.aliases().length === 0
      ? []
      : ['', `${paint('bold', 'Aliases:')} ${command.aliases().join(', ')}`]),
  ];
  for (const [title, items] of sections) {
    lines.push('', paint('bold', title));
    for (const [term, description] of items) {
      lines.push(helper.formatItem(paint('cyan', term), termWidth, description, helper));
    }
  }
  if (command.parent !== null) {
    // Those of the program; what a command in between takes is for itself.
    let program = command.parent;
    while (program.parent !== null) program = program.parent;
    const known = program.options;
    const global = helper
      .visibleGlobalOptions(command)
      .filter((option) => known.includes(option))
      .map(({ flags }) => flags);
    lines.push('', helper.boxWrap(`${paint('bold', 'Global flags:')} ${global.join(', ')}`, width));
  }
  return `${lines.join('\n')}\n`;
}

export function helpWith(paint: Paint): Partial<Help> {
  return {
    showGlobalOptions: true,
    formatHelp: (command, helper) => formatHelp(command, helper, paint),
  };
}
