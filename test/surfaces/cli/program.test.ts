/** The command tree: what is seen before anything is loaded, and that every command is complete. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { Context } from '../../../src/surfaces/cli/context.ts';
import { readExamples } from '../../../src/surfaces/cli/examples.ts';
import { Output } from '../../../src/surfaces/cli/output.ts';
import { buildProgram, commandAt, lookAhead } from '../../../src/surfaces/cli/program.ts';
import { unlistedCommands } from '../../../src/surfaces/cli/project.ts';
import { VERBS } from '../../../src/verbs.ts';

const everything = COMMANDS.map(({ name }) => name);

function build(names: readonly string[]): Promise<Command> {
  return buildProgram(new Context(new Output({ json: false, quiet: false, color: false }), undefined), names);
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

describe('lookAhead', () => {
  it('finds global flags before and after the command', () => {
    const { options, words } = lookAhead(['--workspace', 'here', 'memory', 'list', '--agent', 'x', '--json']);
    expect(options).toEqual({ workspace: 'here', json: true, quiet: false, color: true });
    expect(words.slice(0, 2)).toEqual(['memory', 'list']);
  });

  it.each([
    [[], 'nothing'],
    [['--json'], 'nothing'],
    [['--no-color', '--workspace', 'x'], 'nothing'],
    [['--version'], 'version'],
    [['--json', '--version'], 'version'],
    [['-v'], 'version'],
    [['version', '--json'], 'version'],
    [['memory', 'add', 'version'], 'command'],
    [['--help'], 'command'],
    [['--jsn'], 'command'],
    [['memory'], 'command'],
    [['memory', 'undo', 'x', '--version', '1'], 'command'],
  ])('%j asks for %s', (args, asks) => expect(lookAhead(args).asks).toBe(asks));

  it('leaves what comes after "--" alone', () => {
    expect(lookAhead(['memory', 'add', '--', '--json']).options.json).toBe(false);
  });

  it('survives a flag without its value', () => {
    expect(lookAhead(['memory', '--workspace']).options.workspace).toBeUndefined();
  });
});

describe('buildProgram', () => {
  it('loads only the command that is wanted', async () => {
    const program = await build(['memory']);
    const byName = new Map(program.commands.map((command) => [command.name(), command]));
    expect([...byName.keys()]).toEqual(everything);
    expect(byName.get('memory')!.commands.length).toBeGreaterThan(0);
    expect(byName.get('backup')!.registeredArguments).toEqual([]);
  });

  it('lists the commands of every verb, each with the summary of its verb', async () => {
    expect(unlistedCommands(VERBS)).toEqual([]);
    for (const { cli, summary } of VERBS) {
      if (cli === undefined || cli === false || cli.command === undefined || cli.command.includes(' '))
        continue;
      expect(COMMANDS.find(({ name }) => name === cli.command)?.summary).toBe(summary);
    }
  });

  it('orders commands that exist', async () => {
    const program = await build(everything);
    for (const entry of COMMANDS) {
      const names = program.commands
        .find((each) => each.name() === entry.name)!
        .commands.map((each) => each.name());
      const order = 'load' in entry ? [] : (entry.order ?? []);
      // Those that the table does not name come last.
      expect([entry.name, names.slice(0, order.length)]).toEqual([entry.name, [...order]]);
    }
  });

  it.each([
    ['log show', 'log get'],
    ['archive show', 'archive get'],
    ['sections show', 'sections get'],
    ['sections retrieve', 'sections get'],
    ['swarm show', 'swarm get'],
    ['guard show', 'guard get'],
    ['guard delete', 'guard remove'],
    ['memory prune', 'memory forget-expired'],
  ])('takes "%s" for "%s"', async (words, command) => {
    const [group = '', word] = words.split(' ');
    const context = new Context(new Output({ json: false, quiet: false, color: false }), undefined);
    context.verb = word;
    const program = await buildProgram(context, [group]);
    expect(commandAt(program, words.split(' ')).path).toBe(`keepsake ${command}`);
    const child = program.commands.find((each) => each.name() === group)!.commands;
    expect(child.find((each) => each.aliases().includes(word!))!.description()).not.toBe('');
  });

  it('has a description and examples for every command, and one line for every flag', async () => {
    for (const command of leaves(await build(everything))) {
      expect(command.description(), command.name()).not.toBe('');
      expect(readExamples(command).length, command.name()).toBeGreaterThan(0);
      for (const { long, description } of command.options.filter(({ hidden }) => !hidden)) {
        expect(description, `${command.name()} ${long}`).not.toMatch(/^(\(|$)/);
      }
      for (const argument of command.registeredArguments) {
        expect(argument.description, `${command.name()} ${argument.name()}`).not.toBe('');
      }
    }
  });

  it('shows examples that the program understands', async () => {
    const program = await build(everything);
    for (const command of leaves(program)) {
      for (const example of readExamples(command)) {
        const words = example.slice(example.indexOf('keepsake ')).split(' ').slice(1);
        const { path } = commandAt(program, words);
        const flags = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
        expect(path, example).toBe(commandPathOf(command));
        for (const word of words.filter((each) => each.startsWith('--')))
          expect(flags, example).toContain(word);
      }
    }
  });

  it('lets no flag of a command hide a global one', async () => {
    const program = await build(everything);
    const global = program.options.flatMap(({ long }) => long ?? []);
    for (const command of leaves(program)) {
      const own = command.options.map(({ long }) => long);
      expect(own.filter((flag) => flag !== undefined && global.includes(flag))).toEqual([]);
    }
  });
});

function commandPathOf(command: Command): string {
  return command.parent === null ? command.name() : `${commandPathOf(command.parent)} ${command.name()}`;
}

describe('help', () => {
  it('lists commands by group before the flags', async () => {
    const help = (await build([])).helpInformation();
    const order = [
      'Start here:',
      'init',
      'Memory:',
      'Conversation:',
      'log',
      'Sections:',
      'Care:',
      'Global flags:',
    ].map((text) => help.indexOf(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('ends with examples', async () => {
    const program = await build(['memory']);
    const add = program.commands.find((each) => each.name() === 'memory')!.commands[0]!;
    let text = '';
    add.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
    expect(text).toMatch(/Usage: keepsake memory add \[flags\] \[content\.\.\.\]/);
    expect(text.trimEnd().split('\n').at(-4)).toBe('Examples:');
  });

  it('names the flags of every command once', async () => {
    for (const command of leaves(await build(everything))) {
      const [own = '', global = ''] = command.helpInformation().split('Global flags:');
      const flags = [...(own.match(/(?<=^ {2})--[\w-]+/gm) ?? []), ...(global.match(/--[\w-]+/g) ?? [])];
      const twice = flags.filter((flag, i) => flags.indexOf(flag) !== i);
      expect([commandPathOf(command), twice]).toEqual([commandPathOf(command), []]);
    }
  });
});
