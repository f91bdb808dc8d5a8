/** Files of agents: what they may say, and what they are told when they say something else. */
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/agents/markdown/index.ts';
import { KeepsakeError } from '../../../src/kernel/errors.ts';

const parse = (front: string, prompt = 'Be helpful.', name = 'helper') =>
  parseAgent(`agents/${name}.md`, name, `---\n${front}\n---\n${prompt}\n`);

/** Each problem as `line:column path: message`. */
function problems(text: string, name = 'helper'): string[] {
  try {
    parseAgent(`agents/${name}.md`, name, text);
  } catch (error) {
    if (!KeepsakeError.is(error)) throw error;
    expect(error.code).toBe('INVALID_CONFIG');
    const found = error.details.problems as { line: number; column: number; path: string; message: string }[];
    return found.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
  }
  return [];
}

const wrong = (front: string): string[] => problems(`---\n${front}\n---\nBe helpful.\n`);

describe('an agent file', () => {
  it('D-13 has frontmatter and a prompt', () => {
    const definition = parse(
      `name: helper
description: Helps
model: google/gemini-2.5-flash
history: medium
memory: { enabled: true, maxEntries: 50 }
tools: [file_read, facts]
paths:
  - output/
trigger:
  type: schedule
  every: 6h
maxLoops: 5
rules: Never lie.`,
      '\n# Who you are\n\nYou help.\n\n---\n\nAlways.\n',
    );
    expect(definition).toEqual({
      name: 'helper',
      file: 'agents/helper.md',
      description: 'Helps',
      model: 'google/gemini-2.5-flash',
      history: 'medium',
      memory: { enabled: true, maxEntries: 50 },
      tools: ['file_read', 'facts'],
      paths: ['output/'],
      allowHosts: [],
      trigger: { type: 'schedule', every: '6h', interval: 6 * 3_600_000 },
      maxLoops: 5,
      rules: 'Never lie.',
      prompt: '# Who you are\n\nYou help.\n\n---\n\nAlways.',
    });
  });

  it('D-13 needs nothing but a prompt: the name is that of the file', () => {
    expect(parse('')).toEqual({
      name: 'helper',
      file: 'agents/helper.md',
      paths: [],
      allowHosts: [],
      trigger: { type: 'manual' },
      prompt: 'Be helpful.',
    });
    expect(parse('# only a comment').name).toBe('helper');
  });

  it.each([
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['off', 'off'],
    ['"off"', 'off'],
    ['OFF', 'off'],
    ['false', 'off'],
    ['no', 'off'],
  ])('D-03 D-07 takes history: %s', (written, level) => {
    expect(parse(`history: ${written}`).history).toBe(level);
  });

  it.each([
    ['true', { enabled: true }],
    ['on', { enabled: true }],
    ['yes', { enabled: true }],
    ['off', { enabled: false }],
    ['false', { enabled: false }],
    ['{ dryRun: true }', { dryRun: true }],
  ])('takes memory: %s', (written, memory) => {
    expect(parse(`memory: ${written}`).memory).toEqual(memory);
  });

  it('takes a model as a name or as a block', () => {
    expect(parse('model: ollama/llama3.2').model).toBe('ollama/llama3.2');
    expect(parse('model:\n  provider: google\n  name: gemini-2.5-flash').model).toBe(
      'google/gemini-2.5-flash',
    );
  });

  it('reads a byte order mark and Windows line ends, and finds the same places', () => {
    const text = '\ufeff---\r\nname: helper\r\nhistory: off\r\n---\r\n\r\nHello\r\nthere\r\n';
    expect(parseAgent('x', 'helper', text)).toMatchObject({ history: 'off', prompt: 'Hello\r\nthere' });
    expect(problems(text.replace('history', 'histroy'))).toEqual([
      '3:1 histroy: "histroy" is unknown; did you mean "history"?',
    ]);
  });
});

describe('what is wrong with an agent file', () => {
  it.each([
    ['Just a prompt.', '1:1 : there is no frontmatter'],
    ['', '1:1 : there is no frontmatter'],
    ['---\nname: helper\nThe end is missing.', '1:1 : the frontmatter has no end'],
    ['---\nname: helper\n---\n\n', '4:1 : there is no prompt'],
    ['---\nhistory: low\nhistory: high\n---\nx', '3:1 : duplicate key'],
    ['---\n- one\n- two\n---\nx', '2:1 : expected settings'],
    ['---\nname: "helper\n---\nx', ': something is missing here'],
    ['---\ntrigger:\n\ttype: manual\n---\nx', ': YAML does not allow tabs'],
    ['---\nname: !!js/function x\n---\nx', ': tags are not allowed'],
  ])('%j', (text, start) => {
    const [first = ''] = problems(text);
    expect(first).toContain(start);
  });

  it('is told with its place and the nearest name', () => {
    expect(
      wrong(`histroy: low
memory:
  maxEntrys: 5
tools: [file_raed]
trigger:
  type: schedule
  every: 1h
  evry: 1h
maxLoops: 0
model: gpt-5
temperature: hot`),
    ).toEqual([
      '2:1 histroy: "histroy" is unknown; did you mean "history"?',
      '4:3 memory.maxEntrys: unknown key; did you mean "maxEntries"?',
      '5:9 tools.0: there is no tool "file_raed"; did you mean "file_read"?',
      '9:3 trigger.evry: "evry" is unknown; did you mean "every"?',
      '10:11 maxLoops: It must be at least 1, not 0.',
      '11:8 model: expected a model id such as "openai/gpt-5-mini", found "gpt-5"',
      '12:14 temperature: A number is expected, not "hot".',
    ]);
  });

  it('D-13 a block that lost its indentation, as it does on some pages, says so', () => {
    expect(wrong('trigger:\ntype: schedule\nevery: 1h').slice(1)).toEqual([
      '3:1 type: "type" belongs to "trigger"; indent the lines below "trigger:" by two spaces',
      '4:1 every: "every" belongs to "trigger"; indent the lines below "trigger:" by two spaces',
    ]);
  });

  it('D-09 a name that differs from the file would belong to two threads', () => {
    expect(wrong('name: other')).toEqual([
      '2:7 name: the file is called "helper.md", so the agent is "helper"; rename one of the two',
    ]);
    expect(problems('---\n---\nx', 'con')).toEqual([
      '2:1 name: "con" cannot be an agent name: it is a reserved device name on Windows.',
    ]);
  });

  it.each(['../secrets', '/etc', '~/x', 'a/../../b', 'C:\\x', '..\\x'])(
    'paths cannot lead out: %s',
    (path) => {
      expect(wrong(`paths: ['${path}']`)).toEqual([
        '2:9 paths.0: expected a path inside the workspace such as "output/"',
      ]);
    },
  );

  it.each(['__proto__: 1', 'constructor: 1', 'toString: 1'])('%s is a key like any other', (line) => {
    expect(wrong(line)).toEqual([expect.stringContaining('is unknown')]);
  });

  it('aliases cannot be multiplied without end', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `k${i + 1}: &k${i + 1} [*k${i}, *k${i}, *k${i}, *k${i}]`,
    );
    expect(wrong(['k0: &k0 [x]', ...levels].join('\n'))).toEqual(['2:1 : too many aliases']);
  });
});
