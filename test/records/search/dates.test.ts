/** Dates in the words of a question, and memories of that time. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/kernel/clock.ts';
import { timeAskedFor } from '../../../src/records/search/dates.ts';
import { testAgent } from '../../fixtures/workspace.ts';

/** A Wednesday. */
const NOW = Date.parse('2026-03-04T15:30:00Z');

function span(query: string): string | undefined {
  const time = timeAskedFor(query, NOW);
  if (time === undefined) return undefined;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `${day(time.from)} to ${day(time.to - 1)}`;
}

describe('the time that a question names', () => {
  it.each([
    ['What did I do yesterday?', '2026-03-03 to 2026-03-03'],
    ['what happened today', '2026-03-04 to 2026-03-04'],
    ['What did I do last Tuesday?', '2026-03-03 to 2026-03-03'],
    ['who called on Wednesday', '2026-02-25 to 2026-02-25'],
    ['Where were we in May 2023?', '2023-05-01 to 2023-05-31'],
    ['Where were we in May?', '2025-05-01 to 2025-05-31'],
    ['the meeting on 7 May', '2025-05-07 to 2025-05-07'],
    ['the meeting on February 7th', '2026-02-07 to 2026-02-07'],
    ['what was said on May 7, 2023', '2023-05-07 to 2023-05-07'],
    ['notes of 2023-05-07', '2023-05-07 to 2023-05-07'],
    ['two weeks ago I met Anna', '2026-02-15 to 2026-02-21'],
    ['3 days ago', '2026-03-01 to 2026-03-01'],
    ['a month ago', '2026-02-01 to 2026-02-28'],
    ['last week', '2026-02-23 to 2026-03-01'],
    ['last month', '2026-02-01 to 2026-02-28'],
    ['last year', '2025-01-01 to 2025-12-31'],
    ['who joined in 2021', '2021-01-01 to 2021-12-31'],
    ['我昨天做了什么', '2026-03-03 to 2026-03-03'],
    ['2023年5月7日的会议', '2023-05-07 to 2023-05-07'],
    ['2023年5月去了哪里', '2023-05-01 to 2023-05-31'],
    ['三天前', '2026-03-01 to 2026-03-01'],
    ['上周的会议', '2026-02-23 to 2026-03-01'],
    ['去年', '2025-01-01 to 2025-12-31'],
  ])('%s', (query, expected) => {
    expect(span(query)).toBe(expected);
  });

  it.each([
    'What may I do?',
    'they march on the capital',
    'the last time we met',
    'in this order',
    'on 30 February',
    'version 2024 of the tool',
    'order 4711',
    '',
    'ago '.repeat(5_000),
  ])('%s names none', (query) => {
    expect(span(query)).toBeUndefined();
  });

  it('is told by the words that say it', () => {
    expect(timeAskedFor('what did we plan two weeks ago in Graz', NOW)!.terms).toEqual([
      'two',
      'week',
      'ago',
    ]);
  });
});

describe('search with a date', () => {
  async function diary() {
    const agent = testAgent({ config: { ranking: { profile: 'steady' } } });
    const { memory, clock } = agent;
    await memory.add({ content: 'Repaired the garden fence with Paul' });
    clock.advance(3 * DAY);
    await memory.add({ content: 'Had lunch with Anna at the harbour' });
    await memory.add({ content: 'Anna talked about the budget of the choir' });
    clock.advance(DAY);
    await memory.add({ content: 'Anna talked about the budget of the museum' });
    clock.advance(10 * DAY);
    return agent;
  }

  it('finds what is of that time although no word is shared, and says so', async () => {
    const { memory } = await diary();
    const hits = await memory.search('what did I do on 1 March');
    expect(hits[0]!.content).toBe('Repaired the garden fence with Paul');
    expect(hits[0]!.explain).toContain('of the time asked for (2026-03-01)');
  });

  it('prefers what is of that time among what fits, and hides nothing else', async () => {
    const { memory } = await diary();
    const contents = async (query: string) =>
      (await memory.search(query, { all: true })).map(({ content }) => content);
    const museum = 'Anna talked about the budget of the museum';
    const choir = 'Anna talked about the budget of the choir';
    for (const [day, first, second] of [
      ['2026-03-05', museum, choir],
      ['2026-03-04', choir, museum],
    ]) {
      const found = await contents(`which budget did Anna speak of on ${day}`);
      expect(found[0]).toBe(first);
      expect(found).toContain(second);
    }
  });

  it('keeps to what the caller may see and to the filters', async () => {
    const { memory, client } = await diary();
    const other = client.agent({ name: 'bob' }).memory;
    expect(await other.search('what did I do two weeks ago')).toEqual([]);
    const filtered = await memory.search('what did I do two weeks ago', { since: '2026-03-03T00:00:00Z' });
    expect(filtered.map(({ content }) => content)).not.toContain('Repaired the garden fence with Paul');
  });

  it('knows what has held since then by its own date', async () => {
    const { memory } = await diary();
    await memory.add({ content: 'The office is in Linz', validFrom: '2021-06-01T00:00:00Z' });
    const [hit] = await memory.search('where was the office in 2021');
    expect(hit!.explain).toContain('of the time asked for (2021-06-01)');
  });
});
