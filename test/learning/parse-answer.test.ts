/** Whatever a model answers, the parser finds what is whole in it and throws nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_OPERATIONS, parseAnswer } from '../../src/learning/parse-answer.ts';
import { add } from './fixture.ts';

const TEA = add('User prefers tea');
const CAKE = add('User prefers cake');
const whole = JSON.stringify({ operations: [TEA, CAKE], summary: { mistakes: ['Forgot the milk.'] } });
const contents = (answer: string) => parseAnswer(answer).operations.map(({ content }) => content);
const BOTH = ['User prefers tea', 'User prefers cake'];

describe('answers in many dresses', () => {
  it.each([
    ['as asked for', whole],
    ['fenced', `\`\`\`json\n${whole}\n\`\`\``],
    ['in prose', `Sure! Here {it} is [as asked]:\n${whole}\nHope that helps {really}.`],
    ['after thinking', `<think>{"operations":[{"op":"delete","id":"x","confidence":1}]}</think>${whole}`],
    ['with trailing commas and comments', whole.replaceAll('}', ',}').replace('[', '[ // these\n')],
    ['as a bare list', JSON.stringify([TEA, CAKE])],
    ['line by line', `${JSON.stringify(TEA)}\n${JSON.stringify(CAKE)}`],
    ['with other names', JSON.stringify({ ops: [{ ...TEA, op: undefined, action: 'Create' }, CAKE] })],
    ['with a byte order mark', `\ufeff${whole}`],
  ])('%s', (_, answer) => {
    expect(contents(answer)).toEqual(BOTH);
  });

  it.each([
    '',
    ' ',
    'None.',
    '[]',
    '{}',
    '{"operations":[]}',
    'null',
    '"add"',
    '{"operations":"none"}',
    '[[[',
    '}{',
  ])('nothing: %j', (answer) => {
    expect(parseAnswer(answer)).toMatchObject({ operations: [], malformed: [], beyondLimit: 0 });
  });

  it('what broke off is used up to the last whole operation', () => {
    const cut = whole.indexOf('cake') + 2;
    expect(contents(whole.slice(0, cut))).toEqual(['User prefers tea']);
    expect(parseAnswer(whole.slice(0, cut)).isTruncated).toBe(true);
    const late = parseAnswer(whole.slice(0, -10));
    expect(late.operations).toHaveLength(2);
    expect(late.isTruncated).toBe(true);
  });

  it('a line break inside a string, which JSON forbids, does not cut a memory in two', () => {
    expect(contents('{"operations":[{"op":"add","content":"First line\nsecond","confidence":1}]}')).toEqual([
      'First line\nsecond',
    ]);
  });

  it('an answer with a fault inside loses what is faulty only', () => {
    const broken = `{"operations":[${JSON.stringify(TEA)}, {"op":"add" "content":"half}, ${JSON.stringify(CAKE)}]}`;
    expect(contents(broken)[0]).toBe('User prefers tea');
  });

  it('wrong types are dropped one by one, each with its reason', () => {
    const { operations, malformed } = parseAnswer(
      JSON.stringify({
        operations: [
          TEA,
          null,
          7,
          'add',
          [],
          { op: 'paint', content: 'x', confidence: 1 },
          { op: 'add', content: 7, confidence: 1 },
          { op: 'add', content: ' ', confidence: 1 },
          { op: 'add', content: 'x'.repeat(2_001), confidence: 1 },
          { op: 'add', content: 'x' },
          { op: 'add', content: 'x', confidence: 1.1 },
          { op: 'add', content: 'x', confidence: 'high' },
          { op: 'update', content: 'x', confidence: 1 },
          { op: 'delete', confidence: 1 },
          { ...CAKE, confidence: '0.9', category: 'a\nb', from: 'God' },
        ],
      }),
    );
    expect(operations.map(({ content }) => content)).toEqual(BOTH);
    expect(operations[1]).toMatchObject({ confidence: 0.9, category: null, from: null });
    expect(malformed).toEqual([
      ...['not an object', 'not an object', 'not an object', 'not an object', 'no known operation'],
      ...['add without content', 'add without content', 'content too long'],
      ...['no confidence from 0 to 1', 'no confidence from 0 to 1', 'no confidence from 0 to 1'],
      ...['update without an id', 'delete without an id'],
    ]);
  });

  it('a thousand operations are cut to the limit, and that is said', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => add(`Fact number ${i}`));
    for (const answer of [
      JSON.stringify({ operations: many }),
      many.map((one) => JSON.stringify(one)).join('\n'),
    ]) {
      const { operations, beyondLimit } = parseAnswer(answer);
      expect(operations).toHaveLength(MOST_OPERATIONS);
      expect(beyondLimit).toBe(1_000 - MOST_OPERATIONS);
    }
  });

  it('"__proto__" is a word like any other', () => {
    expect(contents('{"__proto__":{"operations":[{"op":"add","content":"x","confidence":1}]}}')).toEqual([
      'x',
    ]);
    expect(parseAnswer('[{"__proto__":{"op":"add","content":"x","confidence":1}}]').operations).toEqual([
      expect.objectContaining({ content: 'x' }),
    ]);
    expect(({} as Record<string, unknown>).op).toBeUndefined();
    for (const op of ['__proto__', 'constructor', 'toString']) {
      const change = JSON.stringify([{ op, id: 'mem_1', content: 'x', confidence: 1 }]);
      expect(parseAnswer(change)).toMatchObject({ operations: [], malformed: ['no known operation'] });
    }
  });

  it('E-05: lessons are lists of sentences, whatever was given', () => {
    const lessons = (summary: unknown) => parseAnswer(JSON.stringify({ operations: [], summary })).lessons;
    expect(lessons({ mistakes: ['a', 7, '', 'b'.repeat(500)], patterns: 'c', knowledge: null })).toEqual({
      mistakes: ['a'],
      patterns: ['c'],
      failedApproaches: [],
      knowledge: [],
    });
    expect(lessons('All went well.').knowledge).toEqual(['All went well.']);
    expect(lessons(7).knowledge).toEqual([]);
    expect(lessons({ mistakes: Array.from({ length: 99 }, (_, i) => `m${i}`) }).mistakes).toHaveLength(10);
  });
});

describe('fuzzing', () => {
  const junk = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n`aop/*'), maxLength: 200 }),
    fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.string()).map(([a, b, text]) => {
      return whole.slice(0, a) + text + whole.slice(b);
    }),
  );

  it('junk never throws, and nothing comes out that was not put in', () => {
    fc.assert(
      fc.property(junk, (answer) => {
        const { operations } = parseAnswer(answer);
        for (const { content, confidence } of operations) {
          // Escapes in JSON may spell a character in another way; its words stand in the answer all the same.
          for (const word of content?.match(/[a-z]{3,}/gi) ?? []) expect(answer).toContain(word);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['braces and quotes', '{"'.repeat(100_000)],
    ['nested lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['nested objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['open thoughts', '<think>'.repeat(20_000)],
  ])('a flood of %s is no proposal', (_, answer) => {
    expect(parseAnswer(answer).operations).toEqual([]);
  });
});
