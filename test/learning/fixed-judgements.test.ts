/**
 * How statements, answers and transcripts are judged and cut, for fixed ones: whoever moves the code must not change it, and whoever
 * changes a rule sees in the diff what it does (`vitest run -u` writes it again).
 */
import { describe, expect, it } from 'vitest';
import { junkReason } from '../../src/learning/junk.ts';
import { Speakers } from '../../src/learning/origin.ts';
import { parseAnswer } from '../../src/learning/parse-answer.ts';
import { summaryText } from '../../src/learning/session-summary.ts';
import { compare, contradicts } from '../../src/learning/similarity.ts';
import { clip, renderTranscript, type Said } from '../../src/learning/transcript.ts';

const STATEMENTS = [
  'User prefers tea.',
  'The user prefers green tea.',
  'User does not prefer tea.',
  'User prefers tea in the morning with milk and two spoons of sugar from the blue jar.',
  'Ann reports to Bob.',
  'Bob reports to Ann.',
  'Ann reports to Bob in Oslo.',
  'The API listens on port 8080.',
  'The API listens on port 8081.',
  'The API listens on port 8080 and 8081.',
  'The api of the service listens on port 8080.',
  'It is.',
  'Never deploy on Friday.',
  'Deploy on Friday.',
  '用户喜欢绿茶',
  '用户不喜欢绿茶',
];

const pinned = (name: string, lines: readonly unknown[]) =>
  expect(
    `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
  ).toMatchFileSnapshot(`pinned/${name}.txt`);

it('what says the same, says more, and contradicts', async () => {
  const lines = STATEMENTS.flatMap((a, i) =>
    STATEMENTS.map((b, j) => `${i} ${j}: ${compare(a, b)}${contradicts(a, b) ? ' contradicts' : ''}`),
  );
  await pinned('likeness', lines);
});

it('who said a statement', async () => {
  const said: Said[] = [
    { speaker: 'user', text: 'The greenhouse in Weiz has fourteen beds and a pump.' },
    { speaker: 'assistant', text: 'The pump is old and loud. The beds are empty.' },
    { speaker: 'tool', text: 'pump: pressure low; valve seven open; beds watered at six' },
  ];
  const speakers = new Speakers(said);
  const contents = [
    'The greenhouse has fourteen beds.',
    'The pump is loud.',
    'Valve seven is open.',
    'Beds are watered at six.',
    'The pump has low pressure.',
    'Greenhouse pump valve pressure.',
    'Zebras eat grass.',
    'It is.',
  ];
  const lines = contents.flatMap((content) =>
    (['user', 'assistant', 'tool', undefined] as const).map(
      (from) =>
        `${content} | ${from} | ${speakers.originOf({ content, from: from as never })} ${speakers.isSaidByUser(content)}`,
    ),
  );
  await pinned('origins', lines);
});

describe('a transcript', () => {
  const said: Said[] = [
    { speaker: 'user', text: 'Where is the boiler?' },
    { speaker: 'assistant', text: 'In the cellar.' },
    { speaker: 'tool', text: 'x'.repeat(1_600) },
    { speaker: 'user', text: 'Thank you. 🌹🌹🌹' },
    { speaker: 'assistant', text: 'y'.repeat(8_100) },
    { speaker: 'user', text: 'Bye.' },
  ];

  it('never has more characters than it may, but for the first message and the note of what is missing', async () => {
    const lengths = [
      0, 1, 10, 26, 27, 28, 30, 38, 39, 40, 50, 60, 100, 8_000, 8_060, 8_061, 9_600, 9_700, 20_000,
    ];
    const shown = lengths.map((characters) => {
      const text = renderTranscript(said, characters);
      return `${characters}: ${text.length} ${text.replaceAll(/(.)\1{9,}/g, (run) => `${run[0]}×${run.length}`)}`;
    });
    await pinned('transcripts', shown);
    expect(renderTranscript([], 100)).toBe('');
  });

  it('of exactly as many characters as there is room for is whole, and with one less it is not', () => {
    const two: Said[] = [
      { speaker: 'user', text: 'Where is it?' },
      { speaker: 'assistant', text: 'There.' },
      { speaker: 'user', text: 'Fine.' },
    ];
    const whole = renderTranscript(two, 1_000);
    expect(renderTranscript(two, whole.length)).toBe(whole);
    expect(renderTranscript(two, whole.length - 1)).toContain('(1 messages are left out here.)');
  });

  it('a cut leaves whole characters', () => {
    expect(clip('abc', 3)).toBe('abc');
    expect(clip('abcd', 3)).toBe('ab…');
    expect(clip('a🌹b', 3)).toBe('a…');
    expect(clip('🌹🌹', 3)).toBe('🌹…');
    expect(clip('abc', 0)).toBe('…');
  });
});

it('what is junk, and for which reason', async () => {
  const prompt =
    'You are Flora. Never recommend poison. Always answer in metric units.\n- [x] Water the roses.';
  const texts = [
    ...['Hello!', 'ok', 'Thanks a lot!', 'The pump was repaired in May.', 'pump', 'the a', 'a b'],
    ...['Is it on?', 'User asked about the pump.', 'The tests are running now.', 'Never recommend poison.'],
    ...['The assistant must never recommend poison.', 'The agent should answer in metric units.'],
    ...['Water the roses.', 'Recommend poison.', 'You are a helpful assistant.', 'x <|im_start|> y'],
    ...[`Hello ${'there '.repeat(15)}`, `Hello ${'there '.repeat(16)}`, `Thanks ${'all '.repeat(30)}`],
    ...['The password is hunter2', 'The user drinks tea at five.'],
  ];
  await pinned(
    'junk',
    texts.map((text) => `${junkReason(text, [prompt]) ?? 'kept'} | ${text.slice(0, 60)}`),
  );
});

it('what is read from an answer', async () => {
  const add = { op: 'add', content: 'User drinks tea', category: 'fact', confidence: 0.9 };
  const json = JSON.stringify(add);
  const answers = [
    json,
    `[${json},${json}]`,
    `{"operations":[${json}],"summary":{"learned":["a b"],"failed":[]}}`,
    `Sure! \`\`\`json\n{"ops":[${json},]}\n\`\`\` Done.`,
    `<think>{"operations":[]}</think>[${json}]`,
    `{"operations":[${json},{"op":"add","content":"half`,
    `${json}\n${json}\nand {"op":"delete","id":"mem_1","confidence":1}`,
    '{"operations":{"op":"add"}}',
    '{"memories":[1,null,{"op":"fly"},{"op":"add"},{"op":"update","content":"x"}]}',
    `{"op":"add","content":"two\nlines","confidence":"0.8","category":7}`,
    `{"op":"add","content":"x y","confidence":7}`,
    `{"op":"add","content":"x y","confidence":-1}`,
    `${'['.repeat(40)}${json}`,
    `${'{"a":'.repeat(31)}${json}${'}'.repeat(31)}`,
    `${'{"a":'.repeat(32)}${json}${'}'.repeat(32)}`,
    `${'{ '.repeat(99)}${json}`,
    `${'{ '.repeat(101)}${json}`,
    JSON.stringify({ operations: Array.from({ length: 52 }, () => add) }),
    '{"summary":"all went well"}',
    '{"summary":{"decisions":["We chose tea.","ok","What?"],"learned":"not a list"}}',
    'nothing',
    '',
  ];
  await pinned(
    'answers',
    answers.map((answer) => {
      const { operations, ...rest } = parseAnswer(answer);
      return { count: operations.length, first: operations[0], ...rest };
    }),
  );
  const { lessons } = parseAnswer(answers[19]!);
  await pinned('lessons', [JSON.stringify(lessons), summaryText(lessons)]);
});
