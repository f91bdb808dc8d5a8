/** Flags derived from schemas: names, kinds, help, and the input they make. */
import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addFlags, flagName, flagsOf, inputFrom } from '../../../src/surfaces/cli/flags.ts';
import { VERBS } from '../../../src/verbs.ts';

const schema = z.strictObject({
  text: z.string().describe('Some text.'),
  maxCount: z.int().min(1).default(10).describe('How many.'),
  ratio: z.number().optional(),
  isGood: z.boolean().default(false).describe('Whether it is.'),
  wanted: z.boolean().optional(),
  kind: z.enum(['a', 'b']).default('a').describe('Which kind.'),
  colour: z.enum(['magenta', 'turquoise', 'vermilion']).optional(),
  labels: z.array(z.string()).default([]).describe('Words.'),
  tags: z.array(z.string()).optional(),
  when: z
    .union([z.int(), z.iso.datetime({ offset: true })])
    .nullable()
    .optional(),
  extra: z.custom<object>().meta({ type: 'object', description: 'Anything.' }).optional(),
});

function parse(args: readonly string[]): Record<string, unknown> {
  const flags = flagsOf(schema);
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addFlags(command, flags);
  command.parse([...args], { from: 'user' });
  return inputFrom(flags, command.opts());
}

describe('flagName', () => {
  it.each([
    ['content', '--content'],
    ['expiresAt', '--expires-at'],
    ['minMessagesToExtract', '--min-messages-to-extract'],
  ])('%s → %s', (key, name) => expect(flagName(key)).toBe(name));
});

describe('lists of words', () => {
  it('tags are separated by commas, or repeated; other texts are kept whole', () => {
    expect(parse(['--tags', 'tea,work', '--tags', 'home,']).tags).toEqual(['tea', 'work', 'home']);
    expect(parse(['--labels', 'tea,work']).labels).toEqual(['tea,work']);
  });

  it('a comma behind a backslash belongs to the word', () => {
    expect(parse(['--tags', 'Lisbon\\, Portugal,tea']).tags).toEqual(['Lisbon, Portugal', 'tea']);
  });

  it.each(['', ' ', ',', ' , '])(
    '%j, such as an unset variable, is refused instead of removing all tags',
    (text) => {
      expect(() => parse(['--tags', text])).toThrow('Expected at least one word.');
    },
  );
});

describe('flagsOf', () => {
  it('reads kind, choices, default, need and repetition from the schema', () => {
    const flags = Object.fromEntries(flagsOf(schema).map((flag) => [flag.key, flag]));
    expect(flags.text).toMatchObject({ kind: 'text', required: true, description: 'Some text.' });
    expect(flags.maxCount).toMatchObject({ kind: 'integer', default: 10, required: false });
    expect(flags.ratio).toMatchObject({ kind: 'number', default: undefined });
    expect(flags.isGood).toMatchObject({ kind: 'boolean', default: false });
    expect(flags.kind).toMatchObject({ choices: ['a', 'b'], default: 'a' });
    expect(flags.labels).toMatchObject({ kind: 'text', repeatable: true });
    expect(flags.when).toMatchObject({ kind: 'time', nullable: true });
    expect(flags.extra).toMatchObject({ kind: 'json' });
  });

  it('finds a kind for every field of every verb', () => {
    for (const { name, input } of VERBS) {
      const keys = Object.keys((input as z.ZodObject).shape);
      expect(
        flagsOf(input).map(({ key }) => key),
        name,
      ).toEqual(keys);
    }
  });
});

describe('parsing', () => {
  it('leaves out what was not given, so that the schema fills it in', () => {
    expect(parse([])).toEqual({});
  });

  it('makes values of the right type', () => {
    const input = parse([
      ...['--text', 'hello', '--max-count', '3', '--ratio', '0.5', '--is-good', '--kind', 'b'],
      ...['--labels', 'x', '--labels', 'y z', '--when', '1700000000000', '--extra', '{"a":[1]}'],
    ]);
    expect(input).toEqual({
      text: 'hello',
      maxCount: 3,
      ratio: 0.5,
      isGood: true,
      kind: 'b',
      labels: ['x', 'y z'],
      when: 1_700_000_000_000,
      extra: { a: [1] },
    });
    expect(schema.safeParse(input).success).toBe(true);
  });

  it('lets an undecided flag be denied, and only that', () => {
    expect(parse(['--wanted'])).toEqual({ wanted: true });
    expect(parse(['--no-wanted'])).toEqual({ wanted: false });
    expect(() => parse(['--no-is-good'])).toThrow(/unknown option/);
  });

  it('has a word for no value at all', () => {
    expect(parse(['--when', 'never'])).toEqual({ when: null });
    expect(parse(['--text', 'never'])).toEqual({ text: 'never' });
  });

  it('takes a value that begins with a dash', () => {
    expect(parse(['--text', '-1 is less than 0'])).toEqual({ text: '-1 is less than 0' });
  });

  it.each([
    [['--max-count', '1.5'], /whole number/],
    [['--max-count', ''], /whole number/],
    [['--ratio', 'half'], /a number/],
    [['--kind', 'c'], /one of a, b/],
    [['--when', 'tomorrow'], /a time such as/],
    [['--extra', '{a}'], /Expected JSON/],
    [['--text'], /argument missing/],
  ])('refuses %j', (args, message) => {
    expect(() => parse(args)).toThrow(CommanderError);
    expect(() => parse(args)).toThrow(message);
  });
});

describe('help', () => {
  it('mentions defaults, choices and repetition once', () => {
    const command = new Command().configureHelp({ helpWidth: 200 });
    addFlags(command, flagsOf(schema));
    const help = command.helpInformation();
    expect(help).toMatch(/--max-count <number> +How many \(default: 10\)/);
    expect(help).toMatch(/--kind <a\|b> +Which kind \(default: a\)/);
    expect(help).toMatch(/--colour <choice> +\(one of magenta, turquoise, vermilion\)/);
    expect(help).toMatch(/--labels <text> +Words \(may be repeated\)/);
    expect(help).toMatch(/--is-good +Whether it is$/m);
  });
});
