/** The summary without a language model: what it keeps, in which order, and what it costs. */
import { describe, expect, it } from 'vitest';
import { estimateTokens, summarizeExtractively } from '../../../src/index.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { talk, testConversation } from '../fixture.ts';

const LABEL = '(Extractive summary: sentences taken from the transcript; no language model was used.)';

/** Small talk around the things that matter. */
function transcript(facts: readonly string[], filler = 60): string {
  const lines: string[] = [];
  const idle = [
    'That is an interesting thought and I will gladly think about it some more.',
    'It looks like the weather over there is rather nice at the moment.',
    'There is something about the way in which it sounds that people enjoy.',
    'One could say the same about a lot of other things as well.',
  ];
  for (let i = 0; i < filler; i++) {
    lines.push(`User: ${idle[i % idle.length]} (${'abcdefghij'[i % 10]})`);
    const fact = facts[Math.floor((i * facts.length) / filler)];
    if (fact !== undefined && !lines.includes(fact)) lines.push(fact);
  }
  return lines.join('\n\n');
}

const FACTS = [
  'User: We decided to use PostgreSQL instead of MongoDB.',
  'alice: The import failed with error E1234 in worker/import.ts.',
  'User: The budget is $12,500 and the deadline is 2026-09-30.',
  'User: Please always answer in German, never in English.',
  'alice: Should we keep the old API until the release of version 3.2?',
  'User: Maria Gonzalez from Contoso must approve the contract.',
];

describe('what it keeps', () => {
  it('decisions, errors, numbers, wishes, open questions and names, in their order', () => {
    const summary = summarizeExtractively(transcript(FACTS), { maxTokens: 250 });
    const places = FACTS.map((fact) => summary.indexOf(fact));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('it says what it is, in its first line', () => {
    expect(summarizeExtractively(transcript(FACTS), { maxTokens: 200 }).split('\n')[0]).toBe(LABEL);
  });

  it.each([60, 100, 300, 1_000])('it fits into %i tokens', (maxTokens) => {
    const summary = summarizeExtractively(transcript(FACTS, 200), { maxTokens });
    expect(estimateTokens(summary)).toBeLessThanOrEqual(maxTokens);
    expect(summary.split('\n').length).toBeGreaterThan(1);
  });

  it('the same transcript has the same summary', () => {
    const once = summarizeExtractively(transcript(FACTS), { maxTokens: 300 });
    expect(summarizeExtractively(transcript(FACTS), { maxTokens: 300 })).toBe(once);
  });

  it('the same thing is said once', () => {
    const text = Array(20).fill('User: We decided to use PostgreSQL instead of MongoDB.').join('\n\n');
    expect(summarizeExtractively(text, { maxTokens: 500 }).match(/PostgreSQL/g)).toHaveLength(1);
  });

  it('courtesies go first', () => {
    const text = ['User: Hello and good morning to you!', ...FACTS, 'User: Thank you so very much!'].join(
      '\n\n',
    );
    const summary = summarizeExtractively(text, { maxTokens: 150 });
    expect(summary).not.toMatch(/Hello|Thank you/);
  });

  it('German', () => {
    const facts = [
      'User: Wir haben beschlossen, dass die Lieferung nach Köln geht.',
      'bot: Der Fehler in der Prüfung wurde behoben.',
      'User: Die Frist ist der 30. September, und das ist wichtig.',
    ];
    const idle = Array.from({ length: 40 }, (_, i) => `User: Das klingt ja wirklich ganz nett (${i % 7}).`);
    const summary = summarizeExtractively([...idle, ...facts, ...idle].join('\n\n'), { maxTokens: 160 });
    for (const fact of facts) expect(summary).toContain(fact.slice(fact.indexOf(': ') + 2).split('.')[0]);
  });

  it('Chinese', () => {
    const facts = ['User: 我们决定使用绿茶。', 'bot: 导入失败，出现错误。', 'User: 截止日期是九月三十日。'];
    const idle = Array.from(
      { length: 40 },
      (_, i) => `User: 今天的天气看起来很不错，大家都很高兴${'一二三四五六七'[i % 7]}。`,
    );
    const summary = summarizeExtractively([...idle, ...facts].join('\n\n'), { maxTokens: 150 });
    for (const fact of facts) expect(summary).toContain(fact);
  });

  it('a full stop after a title or an initial ends no sentence', () => {
    const text = 'User: We agreed that Dr. Watson and J. Moriarty, e.g. at 221b, pay 5 pounds.';
    expect(summarizeExtractively(text, { maxTokens: 100 })).toContain(text);
  });

  it('nothing is cut in the middle of a character', () => {
    const long = `User: We decided ${'👩🏽‍🚀🫖'.repeat(300)} and that is all of it in 2026.`;
    const huge = `User: ${'🫖'.repeat(10_000)}`;
    for (const text of [long, huge, `User: x${'🫖'.repeat(10_000)}`]) {
      const summary = summarizeExtractively(text, { maxTokens: 3_000 });
      expect(summary.isWellFormed()).toBe(true);
      expect(summary.length).toBeGreaterThan(LABEL.length);
    }
  });

  it('a transcript of single words is kept in part, and an empty one gives nothing', () => {
    expect(summarizeExtractively('User: yes\n\nbot: no', { maxTokens: 100 })).toContain('- User: yes');
    expect(summarizeExtractively('', { maxTokens: 100 })).toBe('');
    expect(summarizeExtractively('\n\n---\n\n', { maxTokens: 100 })).toBe('');
  });

  it('blocks of MEMORY.md are read as what they are', async () => {
    const { memory, text } = await testConversation();
    await memory.add('User', 'We decided to use PostgreSQL.\n\nAnd nothing else.');
    await memory.add('assistant', 'It costs 300 euros.');
    const summary = summarizeExtractively(text(), { maxTokens: 200 });
    expect(summary).toBe(
      [
        LABEL,
        '- User: We decided to use PostgreSQL.',
        '- User: And nothing else.',
        '- alice: It costs 300 euros.',
      ].join('\n'),
    );
  });
});

describe('again and again', () => {
  it('what was in the first conversation is still there after five compactions', async () => {
    const { memory, blocks } = await testConversation();
    await memory.add('User', 'We decided to use PostgreSQL instead of MongoDB.');
    await memory.add('User', 'My name is Maria Gonzalez and my customer number is 48151623.');
    for (let round = 1; round <= 5; round++) {
      await memory.add('User', `In round ${round} we agreed on a price of ${round}00 euros.`);
      await talk(memory, 40, round * 100);
      const summary = summarizeExtractively(await memory.returnHistoryAsString(), { maxTokens: 300 });
      await memory.compact({ summary, by: 'model' });
    }
    expect(blocks()).toHaveLength(1);
    const [summary] = blocks();
    expect(summary).toContain('- User: We decided to use PostgreSQL instead of MongoDB.');
    expect(summary).toContain('- User: My name is Maria Gonzalez and my customer number is 48151623.');
    for (let round = 1; round <= 5; round++) expect(summary).toContain(`a price of ${round}00 euros`);
    // Neither the label nor the speakers pile up.
    expect(summary!.match(/Extractive summary/g)).toHaveLength(1);
    expect(summary).not.toMatch(/System: (User|alice|System)/);
  });
});

describe('what it costs', () => {
  /** Counts the sentences that are looked at, which a quadratic algorithm would do again and again. */
  function workFor(sentences: number): number {
    const random = seededRandom(42);
    const words = ['tea', 'shop', 'price', 'order', 'green', 'decided', 'error', 'Rome', '42', 'because'];
    const line = () =>
      Array.from({ length: 12 }, () => words[Math.floor(random.next() * words.length)]).join(' ');
    const text = Array.from({ length: sentences }, () => `User: ${line()}.`).join('\n\n');
    const start = process.cpuUsage();
    summarizeExtractively(text, { maxTokens: 2_000 });
    const { user, system } = process.cpuUsage(start);
    return user + system;
  }

  it('four times the input costs about four times as much', () => {
    workFor(2_000);
    // Sixteen times as much if it were quadratic.
    const ratio = workFor(40_000) / workFor(10_000);
    expect(ratio).toBeLessThan(10);
  });

  it.each([
    ['one line without an end', 'tea '.repeat(1_250_000)],
    ['one word without an end', 'x'.repeat(5_000_000)],
    ['only blanks', ' \n'.repeat(2_500_000)],
    ['only separators', '\n\n---\n\n'.repeat(700_000)],
    ['colons', 'a: '.repeat(1_600_000)],
    ['full stops', '. '.repeat(2_500_000)],
    ['headings', '### User - 2026-01-01T00:00:00\n'.repeat(150_000)],
  ])('five megabytes of %s come to an end', (_what, text) => {
    const summary = summarizeExtractively(text, { maxTokens: 500 });
    expect(estimateTokens(summary)).toBeLessThanOrEqual(500);
  });
});
