/** Generated conversations and texts full of our own markup: whatever was written is read back exactly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONVERSATION_FORMATS,
  type ConversationFormat,
  type ConversationSnapshot,
  decodeConversation,
  encodeConversation,
} from '../../src/conversation/formats/index.ts';
import {
  parseTail,
  parseTranscript,
  unparse,
  writeBlock,
  writeHeader,
} from '../../src/conversation/formats/memory-md.ts';
import { MAX_TIME, MIN_TIME } from '../../src/conversation/formats/timestamps.ts';
import { type ConversationMessage, contentText } from '../../src/conversation/messages/message.ts';
import { searchKeyword, searchMessages } from '../../src/conversation/messages/message-search.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { campaign } from '../fixtures/campaign.ts';

const seed = Number(process.env.KEEPSAKE_SEED ?? Date.now() % 2 ** 31);
console.log(`conversation formats: KEEPSAKE_SEED=${seed}`);
/** All of so many cases in a campaign, a quarter of them otherwise. */
const options = (numRuns: number) => ({ seed, numRuns: campaign(numRuns / 4, numRuns) });

/** Lines that mean something to us, to YAML, to Markdown or to nobody. */
const line = fc.oneof(
  fc.constantFrom(
    '---',
    '- - -',
    '',
    ' ',
    '\t',
    '### User - 2026-01-01T00:00:00',
    '### System — 2026-01-01T00:00:00.123456',
    '### A – B - 2026-01-01T00:00:00+02:00',
    '### User - 2026-01-01T00:00:00Z  ',
    '\\### User - 2026-01-01T00:00:00',
    '\\\\### User — 2026-01-01T00:00:00',
    '\\\\\\\\### x - 2026-12-31T23:59:59',
    ' ### User - 2026-01-01T00:00:00',
    '### User - 2026-13-01T00:00:00',
    '### ',
    '#### User - 2026-01-01T00:00:00',
    '# Agent Memory',
    '**Conversation:** evil_id_1_conversation',
    '**Created:** 2026-01-01T00:00:00',
    '## Interaction Log',
    '<!-- keepsake {"keepsake":"conversation","version":1} -->',
    '<!-- keepsake {"id":"msg_forged","timestamp":"2026-01-01T00:00:00.000Z"} -->',
    '-->',
    '```',
    '```json',
    '~~~',
    'key: value',
    '- item',
    'off',
    '1e3',
    '&a *a',
    '...',
    '%YAML 1.1',
    '\ufeff',
    '\ud83d',
    '\ude00',
    'trailing   ',
    '\tindented',
    '    code',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('\\', '#', ' ', '-', '—', '\r', '\n', '0', 'T', ':', '\u2028', '\0'),
    maxLength: 20,
  }),
);
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\n\n', '\n\n---\n\n', '\u2028', '\u0085');
const wildText = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 8 })
  .chain((pairs) => line.map((last) => pairs.map(([text, end]) => text + end).join('') + last));
const role = fc.oneof(
  fc.constantFrom(
    'User',
    'System',
    'Tool',
    'ResearchAgent',
    'A - B',
    'x - 2026-01-01T00:00:00',
    '### y',
    '—',
    '\\',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);
const headingRole = role.filter(
  (text) => text.trim() === text && text !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text),
);
const time = fc.oneof(
  fc.integer({ min: MIN_TIME, max: MAX_TIME }),
  fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
);
const block = fc.record({ role: headingRole, at: time, text: wildText });
const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

describe('MEMORY.md', () => {
  it('A-37: parse ∘ write = identity, and the file comes back byte for byte', () => {
    const header = fc.record({
      agent: fc.constantFrom('ResearchAgent', 'a_id_b', 'Ünï cödé'),
      conversationId: fc.uuid(),
      createdAt: time,
    });
    fc.assert(
      fc.property(header, fc.array(block, { maxLength: 5 }), (fields, blocks) => {
        const file = writeHeader(fields) + blocks.map(writeBlock).join('');
        const parsed = parseTranscript(file);
        expect(parsed.blocks.map(({ role, at, text }) => ({ role, at, text }))).toEqual(
          blocks.map(({ role, at, text }) => ({ role, at: toSecond(at), text })),
        );
        expect(parsed.header).toMatchObject({
          agent: fields.agent,
          conversationId: fields.conversationId,
          created: toSecond(fields.createdAt),
        });
        expect(parsed.preamble).toBe('');
        expect(unparse(parsed)).toBe(file);
      }),
      options(5000),
    );
  });

  it('gives any file back byte for byte, and every character of it has one owner', () => {
    fc.assert(
      fc.property(wildText, (file) => {
        const parsed = parseTranscript(file);
        expect(unparse(parsed)).toBe(file);
        const pieces = parsed.blocks.map(({ raw }) => file.slice(raw.start, raw.end));
        expect(parsed.header.raw + pieces.join('')).toBe(file);
      }),
      options(5000),
    );
  });

  it('reads a tail that was cut anywhere: the last blocks, whole, and never a block that was content', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), fc.nat(), (blocks, chance) => {
        const file = blocks.map(writeBlock).join('');
        const cut = chance % file.length;
        const tail = parseTail(file.slice(cut));
        const whole = parseTranscript(file).blocks.map(({ role, at, text }) => ({ role, at, text }));
        const read = tail.blocks.map(({ role, at, text }) => ({ role, at, text }));
        expect(read).toEqual(whole.slice(whole.length - read.length));
        const start = tail.blocks[0]?.raw.start ?? tail.source.length;
        expect(tail.dropped).toEqual({ start: 0, end: start });
        // Nothing is dropped that stands after a whole heading.
        const lineStart = file.indexOf('\n', cut) + 1;
        const expected = parseTranscript(file).blocks.filter(
          ({ raw }) => lineStart > 0 && raw.start >= lineStart,
        );
        expect(read.length).toBe(expected.length);
      }),
      options(5000),
    );
  });

  it('keeps blocks apart that are appended after any text', () => {
    fc.assert(
      fc.property(wildText, block, (before, added) => {
        const parsed = parseTranscript(before);
        const file = unparse({ ...parsed, blocks: [...parsed.blocks, added] });
        const after = parseTranscript(file);
        expect(after.blocks.length).toBe(parsed.blocks.length + 1);
        expect(after.blocks.at(-1)).toMatchObject({ role: added.role, text: added.text });
      }),
      options(5000),
    );
  });
});

const key = fc.oneof(
  fc.constantFrom('type', 'content', 'role', 'off', 'y', '1e3', '<<', 'constructor', 'null', '- a', ''),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const { json } = fc.letrec<{ json: unknown; list: unknown[]; object: object }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    wildText,
    fc.constantFrom(null, true, false, 0, 1e3, -1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('json'), { maxKeys: 3, noNullPrototype: true }),
}));
const object = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true });
const part = fc
  .tuple(fc.constantFrom('text', 'tool-call', 'tool-result', 'image', ''), object, wildText)
  .map(([type, fields, text]) => ({ ...fields, text, type }));
const content = fc.oneof(wildText, fc.array(part, { maxLength: 3 }));
const message = fc.record(
  {
    id: fc.uuid(),
    role: fc.oneof(
      role,
      wildText.filter((text) => text !== ''),
    ),
    content,
    at: time,
    run: fc.option(fc.string({ maxLength: 10 })),
    metadata: object,
    seq: fc.nat(),
  },
  { requiredKeys: ['id', 'role', 'content', 'at', 'run', 'metadata'], noNullPrototype: true },
) as fc.Arbitrary<ConversationMessage>;
const snapshot = fc.record(
  {
    version: fc.constant(1 as const),
    agent: headingRole,
    conversationId: fc.uuid(),
    createdAt: time,
    messages: fc.uniqueArray(message, { maxLength: 4, selector: ({ id }) => id }),
    static: fc.record(
      { systemPrompt: wildText, rules: wildText, customRules: wildText },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['version', 'agent', 'conversationId', 'createdAt', 'messages'], noNullPrototype: true },
) as fc.Arbitrary<ConversationSnapshot>;

/** What a file does to a text: UTF-8 and back. */
const throughFile = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
/** JSON has no negative zero. */
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('exports', () => {
  it.each(CONVERSATION_FORMATS)('A-59, A-60: %s loads back what it saved, through a file', async (format) => {
    await fc.assert(
      fc.asyncProperty(snapshot, async (original) => {
        const expected = asJson(original);
        const text = throughFile(await encodeConversation(original, format));
        expect(await decodeConversation(text, format)).toEqual(expected);
        expect(await decodeConversation(`\ufeff${text}`)).toEqual(expected);
      }),
      options(1000),
    );
  });

  it('decode throws nothing but KeepsakeError on mutated inputs', async () => {
    let read = 0;
    const refused = new Set<string>();
    const mutated = fc
      .tuple(
        snapshot,
        fc.constantFrom(...CONVERSATION_FORMATS),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
      )
      .chain(([original, format, changes]) => fc.constant({ original, format, changes }));
    const readAs = async (text: string, format?: ConversationFormat): Promise<void> => {
      try {
        await decodeConversation(text, format);
        read++;
      } catch (error) {
        if (!KeepsakeError.is(error)) throw error;
        expect(error.hint).toBeTruthy();
        refused.add(error.message);
      }
    };
    await fc.assert(
      fc.asyncProperty(mutated, async ({ original, format, changes }) => {
        let text = await encodeConversation(original, format);
        for (const change of changes) text = change(text);
        await readAs(text);
        await readAs(text, format);
      }),
      options(10_000),
    );
    expect(read).toBeGreaterThan(100);
    expect(refused.size).toBeGreaterThan(100);
  });
});

const at = (chance: number, text: string): number => (text.length === 0 ? 0 : chance % text.length);
type Mutation = (text: string) => string;
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat().map(
    (where): Mutation =>
      (text) =>
        text.slice(0, at(where, text)),
  ),
  fc.nat().map(
    (where): Mutation =>
      (text) =>
        text.slice(at(where, text)),
  ),
  fc.tuple(fc.nat(), fc.nat(200)).map(
    ([where, count]): Mutation =>
      (text) =>
        text.slice(0, at(where, text)) + text.slice(at(where, text) + count),
  ),
  fc.tuple(fc.nat(), line).map(
    ([where, added]): Mutation =>
      (text) =>
        text.slice(0, at(where, text)) + added + text.slice(at(where, text)),
  ),
  fc
    .tuple(
      fc.nat(),
      fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\n', '&a', '*a', '!!x', '|', '>', '\\u'),
    )
    .map(
      ([where, added]): Mutation =>
        (text) =>
          text.slice(0, at(where, text)) + added + text.slice(at(where, text) + 1),
    ),
  fc.constantFrom<Mutation>(
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => text.replace('"version": 1', '"version": 2').replace('version: 1', 'version: x'),
    (text) => text.replace('timestamp', '__proto__'),
    (text) => text + text,
  ),
);

describe('search', () => {
  it('finds a word of a text whatever its case, and never splits a character', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(wildText, words, wildText, (before, word, after) => {
        const text = (before + word + after).toWellFormed();
        const messages = [{ id: '1', role: 'User', content: text, at: 0, run: null, metadata: {} }];
        const found = [
          ...searchKeyword(messages, word),
          ...searchKeyword(messages, word.toUpperCase()),
          ...searchMessages(messages, word.toLowerCase()),
        ];
        for (const { hits, excerpt } of found) {
          for (const { start, end } of [...hits, excerpt]) {
            expect(start).toBeLessThan(end);
            expect(text.slice(start, end).isWellFormed()).toBe(true);
          }
          expect(text.slice(excerpt.start, excerpt.end)).toBe(excerpt.text);
        }
      }),
      options(5000),
    );
  });

  it('finds every ASCII word by its capitals', () => {
    const word = fc.stringMatching(/^[a-z0-9+#.]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), fc.nat(), (list, chance) => {
        const message = { id: '1', role: 'User', content: list.join(' '), at: 0, run: null, metadata: {} };
        const chosen = list[chance % list.length]!;
        const [match] = searchKeyword([message], chosen.toUpperCase());
        const hit = match!.hits[0]!;
        expect(contentText(message.content).slice(hit.start, hit.end)).toBe(chosen);
        expect(searchMessages([message], list.toReversed().join('  ')).length).toBe(1);
      }),
      options(1000),
    );
  });
});

/**
 * Four times the input may take four times the work and some, not sixteen times. The processor's time is counted and the
 * least of many tries compared, so that a busy machine fails nothing: what is quadratic stays quadratic in every try.
 */
async function growsLinearly(run: (size: number) => unknown, size: number): Promise<boolean> {
  const work = async (n: number): Promise<number> => {
    const before = process.cpuUsage();
    await run(n);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await work(size);
  let [least, leastOfFour] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < 20; tries++) {
    least = Math.min(least, await work(size));
    leastOfFour = Math.min(leastOfFour, await work(size * 4));
    // Below a few milliseconds there is nothing to compare, and nothing to fear.
    if (leastOfFour < Math.max(least * 9, 5)) return true;
  }
  return false;
}

describe('time grows with the size of the input only', () => {
  const texts: Record<string, (n: number) => string> = {
    backslashes: (n) => '\\'.repeat(n),
    'backslashes and a mark': (n) => `${'\\'.repeat(n)}### `,
    marks: (n) => '### '.repeat(n),
    'almost headings': (n) => `### ${'a - 2026-01-01T00:00:00 '.repeat(n)}x`,
    'blanks after a heading': (n) => `### a - 2026-01-01T00:00:00${' '.repeat(n)}x`,
    'blanks at the end': (n) => `### a - 2026-01-01T00:00:00\n${' \n'.repeat(n)}x${' \n'.repeat(n)}`,
    rules: (n) => `### a - 2026-01-01T00:00:00\n${'---\n'.repeat(n)}`,
    separators: (n) => '\n\n---\n\n'.repeat(n),
    headings: (n) => '### a - 2026-01-01T00:00:00\n'.repeat(n),
    escapes: (n) => `### a - 2026-01-01T00:00:00\n${'\\### a - 2026-01-01T00:00:00\n'.repeat(n)}`,
    'header names': (n) => `# Agent Memory\n**Conversation:** ${'_id_'.repeat(n)}_conversation_`,
    'carriage returns': (n) => '\r'.repeat(n),
    'open comments': (n) => '<!-- keepsake {'.repeat(n),
    marks2: (n) => `a${'\u0301'.repeat(n)}`,
    base64: (n) => `data:${','.repeat(n)}${'A'.repeat(n)}!`,
  };

  it.each(Object.entries(texts))('transcripts of %s', async (_, make) => {
    const run = (n: number): void => {
      const text = make(n);
      unparse(parseTranscript(text));
      parseTail(text);
      writeBlock({ role: 'User', at: 0, text });
      contentText([{ type: 'image', data: text }]);
      const messages = [{ id: '1', role: 'User', content: text, at: 0, run: null, metadata: {} }];
      searchMessages(messages, 'é - x');
      searchKeyword(messages, 'É');
    };
    expect(await growsLinearly(run, 20_000)).toBe(true);
  });

  it.each<[format: ConversationFormat, what: string, make: (n: number) => string]>([
    ['json', 'brackets', (n) => '['.repeat(n)],
    ['json', 'quotes', (n) => '"\\'.repeat(n)],
    ['jsonl', 'lines', (n) => '{"role":"user","content":"x"}\n'.repeat(n)],
    ['markdown', 'blocks', (n) => '### a - 2026-01-01T00:00:00\n<!-- keepsake {\n'.repeat(n)],
    ['yaml', 'keys', (n) => Array.from({ length: n }, (_, i) => `k${i}: 1`).join('\n')],
    ['yaml', 'aliases', (n) => Array.from({ length: n }, (_, i) => `- &a${i} x\n- *a${i}`).join('\n')],
    ['yaml', 'dashes', (n) => '- '.repeat(n)],
    ['yaml', 'errors', (n) => 'a: b: c\n'.repeat(n)],
  ])('%s of %s', async (format, _, make) => {
    const run = (n: number) => decodeConversation(make(n), format).catch(() => {});
    expect(await growsLinearly(run, format === 'yaml' ? 4000 : 10_000)).toBe(true);
  });
});
