/** What holds whatever the task is: pinned memories, instructions, preferences, within a budget. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import type { MemoryRecord } from '../../src/kernel/record.ts';
import { orderStanding, withinBudget } from '../../src/records/standing.ts';
import { testAgent } from '../fixtures/workspace.ts';

const NOW = 1_000 * DAY;
const record = (id: string, fields: Partial<MemoryRecord> = {}): MemoryRecord =>
  ({ id, confidence: 1, pinned: false, updatedAt: NOW, content: id, ...fields }) as MemoryRecord;
const contents = (records: readonly { content: string }[]): string[] => records.map(({ content }) => content);

describe('the order', () => {
  const order = (...records: MemoryRecord[]) => orderStanding(records, NOW).map(({ id }) => id);

  it('has pinned ones first, whatever they are worth', () => {
    expect(order(record('sure'), record('pinned', { pinned: true, confidence: 0.1 }))).toEqual([
      'pinned',
      'sure',
    ]);
  });

  it('goes by confidence × recency', () => {
    const sure = record('sure', { confidence: 0.9 });
    const unsure = record('unsure', { confidence: 0.5 });
    const old = record('old', { confidence: 0.9, updatedAt: NOW - 365 * DAY });
    expect(order(old, unsure, sure)).toEqual(['sure', 'unsure', 'old']);
    expect(order(record('older', { confidence: 1, updatedAt: NOW - 300 * DAY }), unsure)).toEqual([
      'older',
      'unsure',
    ]);
  });

  it('is the same every time', () => {
    expect(order(record('a'), record('b'), record('c'))).toEqual(['c', 'b', 'a']);
    expect(order(record('c'), record('a'), record('b'))).toEqual(['c', 'b', 'a']);
  });
});

describe('the budget', () => {
  it('B-06 never cuts an entry, and lets a shorter one in where a longer one does not fit', () => {
    const records = ['aaaa', 'bbbbbbbb', 'cc', 'd'].map((content) => record(content, { content }));
    expect(contents(withinBudget(records, 6).fitting)).toEqual(['aaaa', 'cc']);
    expect(withinBudget(records, 6).leftOut).toBe(2);
    expect(withinBudget(records, 0).fitting).toEqual([]);
    expect(contents(withinBudget(records, 15).fitting)).toEqual(['aaaa', 'bbbbbbbb', 'cc', 'd']);
  });
});

describe('standing memory', () => {
  it('holds pinned memories, instructions and preferences, and nothing else', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'a fact' });
    await memory.add({ content: 'a preference', category: 'preference' });
    await memory.add({ content: 'an instruction', category: 'instruction', confidence: 0.9 });
    await memory.add({ content: 'a pinned fact', pinned: true, confidence: 0.2 });
    const { memories, leftOut } = await memory.standing();
    expect(contents(memories)).toEqual(['a pinned fact', 'a preference', 'an instruction']);
    expect(leftOut).toBe(0);
  });

  it('leaves out what is over, forgotten or private to others, and shares what is shared', async () => {
    const { memory, client, clock } = testAgent();
    const bob = client.agent({ name: 'bob' }).memory;
    await memory.add({ content: 'over', category: 'instruction', expiresAt: clock.now() + 5 });
    const gone = await memory.add({ content: 'gone', category: 'instruction' });
    await memory.forget(gone.id);
    await bob.add({ content: 'private to bob', category: 'instruction' });
    await bob.add({ content: 'shared by bob', category: 'instruction', scope: 'swarm' });
    clock.advance(5);
    expect(contents((await memory.standing()).memories)).toEqual(['shared by bob']);
    expect(contents((await bob.standing()).memories).toSorted()).toEqual(['private to bob', 'shared by bob']);
  });

  it('has the best of many, even when that is the oldest', async () => {
    const { memory } = testAgent({ config: { memory: { maxEntries: 1_000 } } });
    await memory.add({ content: 'the first rule', category: 'instruction', confidence: 1 });
    await Promise.all(
      Array.from({ length: 250 }, (_, i) =>
        memory.add({ content: `rule ${i}`, category: 'instruction', confidence: 0.4 }),
      ),
    );
    const { memories, leftOut } = await memory.standing({ limit: 1 });
    expect([contents(memories), leftOut]).toEqual([['the first rule'], 250]);
  });

  it('says how many did not fit, by number and by characters', async () => {
    const { memory } = testAgent();
    for (let i = 0; i < 5; i++) await memory.add({ content: `rule ${i}`, category: 'instruction' });
    expect(await memory.standing({ limit: 2 })).toMatchObject({ leftOut: 3 });
    const { memories, leftOut } = await memory.standing({ maxChars: 13 });
    expect([memories.length, leftOut]).toEqual([2, 3]);
    for (const { content } of memories) expect(content).toMatch(/^rule \d$/);
  });
});

describe('recall', () => {
  it('does not hold a preference for standing that a page or a tool reported, unless a person pins it', async () => {
    const { memory } = testAgent();
    const wish = async (content: string, more: object) =>
      (await memory.add({ content, category: 'preference', ...more })).id;
    const own = await wish('Prefers trains.', {});
    const imported = await wish('Prefers aisle seats.', { origin: 'import' });
    const lie = await wish('Prefers the hotels of Beaver Mutual.', { origin: 'web' });
    const told = await wish('Prefers early flights.', { origin: 'tool' });
    const ids = async (task: string) => {
      const { standing, relevant } = await memory.recall(task);
      return [standing, relevant].map((found) => found.map(({ id }) => id).toSorted());
    };
    expect((await ids('Write a poem about rain'))[0]).toEqual([own, imported].toSorted());
    expect((await ids('Which hotels?'))[1]).toContain(lie);
    await memory.update(told, { pinned: true });
    expect((await ids('Write a poem about rain'))[0]).toEqual([own, imported, told].toSorted());
  });

  it('E-21 E-22 B-12 brings a standing instruction although the task says nothing of it', async () => {
    const { memory } = testAgent();
    const rule = 'Always open pull requests against develop.';
    await memory.add({ content: rule, category: 'instruction' });
    await memory.add({ content: 'The login page checks the token twice.' });
    await memory.add({ content: 'The cafeteria closes early on Fridays.' });
    const { standing, relevant } = await memory.recall('Fix the login bug');
    expect(contents(standing)).toEqual([rule]);
    expect(contents(relevant)).toEqual(['The login page checks the token twice.']);
  });

  it('does not repeat what is standing, and does not count it against the hits', async () => {
    const { memory } = testAgent();
    const add = (content: string, more: object = {}) => memory.add({ content, ...more });
    await add('login instruction', { category: 'instruction' });
    await add('login preference', { category: 'preference' });
    for (const word of ['alpha', 'beta', 'gamma']) await add(`login fact ${word}`);
    const { standing, relevant } = await memory.recall('login', { limit: 3 });
    expect(contents(standing).toSorted()).toEqual(['login instruction', 'login preference']);
    expect(contents(relevant).toSorted()).toEqual([
      'login fact alpha',
      'login fact beta',
      'login fact gamma',
    ]);
  });

  it('B-06 keeps both within 2,000 characters unless told otherwise, whole entries only', async () => {
    const { memory } = testAgent();
    const long = (word: string) => `login ${word} ${'x'.repeat(700)}`;
    for (const word of ['one', 'two', 'three', 'four']) await memory.add({ content: long(word) });
    await memory.add({ content: long('rule'), category: 'instruction' });
    const length = async (options: object) => {
      const { standing, relevant } = await memory.recall('login', options);
      for (const { content } of [...standing, ...relevant]) expect(content).toMatch(/x{700}$/);
      return [...standing, ...relevant].reduce((sum, { content }) => sum + content.length, 0);
    };
    expect(await length({})).toBeGreaterThan(1_400);
    expect(await length({})).toBeLessThanOrEqual(2_000);
    expect(await length({ maxChars: 800 })).toBeLessThanOrEqual(800);
    expect(await length({ maxChars: 0 })).toBe(0);
    expect(await length({ maxChars: 10_000 })).toBeGreaterThan(3_500);
  });

  it('B-12 preferences leave a part of the budget to what the task calls for', async () => {
    const { memory } = testAgent();
    for (let i = 0; i < 40; i++)
      await memory.add({ content: `Likes answer ${i} ${'y'.repeat(90)}`, category: 'preference' });
    for (let i = 0; i < 5; i++) await memory.add({ content: `login fact ${i} ${'x'.repeat(100)}` });
    const { standing, relevant } = await memory.recall('login fact', { limit: 50 });
    expect(relevant.filter(({ content }) => content.startsWith('login fact'))).toHaveLength(5);
    expect(standing.length).toBeGreaterThan(10);
  });

  it('may be asked for as many as a search may', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'login rule', pinned: true });
    await memory.add({ content: 'login fact' });
    const { standing, relevant } = await memory.recall('login', { limit: 1_000 });
    expect([contents(standing), contents(relevant)]).toEqual([['login rule'], ['login fact']]);
  });

  it('filters what the task brings to mind, not what always holds', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'login rule', category: 'instruction' });
    await memory.add({ content: 'login fact', tags: ['web'] });
    await memory.add({ content: 'login note' });
    const { standing, relevant } = await memory.recall('login', { tags: ['web'] });
    expect([contents(standing), contents(relevant)]).toEqual([['login rule'], ['login fact']]);
  });
});
