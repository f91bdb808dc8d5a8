/** Facts know when they were true: the newer takes the place of the older, and the past can be asked. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { testAgent } from '../fixtures/workspace.ts';
import { topicModel } from './support/topic-model.ts';

const contents = (records: readonly { content: string }[]): string[] => records.map(({ content }) => content);
const WHERE = 'Where does Anna live?';
const BERLIN = 'Anna lives in Berlin';
const LISBON = 'Anna lives in Lisbon';

describe('a memory that supersedes another', () => {
  it('is found now, the other one then, and the history shows both', async () => {
    const { memory, clock } = testAgent();
    const old = await memory.add({ content: BERLIN });
    const then = clock.now();
    clock.advance(DAY);
    const since = clock.now();
    const now = await memory.add({ content: LISBON, supersedes: old.id });
    expect(now).toMatchObject({ outcome: 'added', supersedes: old.id, supersededBy: null, state: 'live' });
    expect(contents(await memory.search(WHERE))).toEqual([LISBON]);
    expect(contents(await memory.search(WHERE, { asOf: then }))).toEqual([BERLIN]);
    expect(contents(await memory.search(WHERE, { asOf: since - 1 }))).toEqual([BERLIN]);
    expect(contents(await memory.search(WHERE, { asOf: since }))).toEqual([LISBON]);
    expect(await memory.get(old.id)).toMatchObject({
      state: 'expired',
      expiryReason: 'superseded',
      supersededBy: now.id,
      content: BERLIN,
      expiresAt: since,
    });
    expect((await memory.history(now.id)).map(({ id, content }) => [id, content])).toEqual([
      [old.id, BERLIN],
      [now.id, LISBON],
    ]);
    expect(contents(await memory.list())).toEqual([LISBON]);
  });

  it('may be superseded itself: each time has its own answer', async () => {
    const { memory, clock } = testAgent();
    const times: number[] = [];
    let last: string | undefined;
    for (const city of ['Berlin', 'Lisbon', 'Oslo', 'Rome']) {
      const added = await memory.add({
        content: `Anna lives in ${city}`,
        ...(last === undefined ? {} : { supersedes: last }),
      });
      last = added.id;
      times.push(clock.now());
      clock.advance(DAY);
    }
    const answers = await Promise.all(times.map((asOf) => memory.search(WHERE, { asOf })));
    expect(answers.map(contents)).toEqual([
      ['Anna lives in Berlin'],
      ['Anna lives in Lisbon'],
      ['Anna lives in Oslo'],
      ['Anna lives in Rome'],
    ]);
    expect(await memory.history(last!)).toHaveLength(4);
  });

  it('holds since it is said to, and so long the other one did', async () => {
    const { memory, clock } = testAgent();
    const start = clock.now();
    const old = await memory.add({ content: BERLIN, validFrom: start - 100 * DAY });
    clock.advance(DAY);
    await memory.add({ content: LISBON, validFrom: start - 10 * DAY, supersedes: old.id });
    const at = async (time: number) => contents(await memory.search(WHERE, { asOf: time }));
    expect(await at(start - 101 * DAY)).toEqual([]);
    expect(await at(start - 100 * DAY)).toEqual([BERLIN]);
    expect(await at(start - 10 * DAY - 1)).toEqual([BERLIN]);
    expect(await at(start - 10 * DAY)).toEqual([LISBON]);
    expect(await at(clock.now())).toEqual([LISBON]);
  });

  it('that began before the other one did corrects it: what never was true is found at no time', async () => {
    // To refuse it would leave no way to mend a wrong fact whose own beginning was wrong too, and most facts have no
    // beginning but the day they were told: who hears of a move late has to be able to say when it was.
    const { memory, clock } = testAgent();
    const start = clock.now();
    const wrong = await memory.add({ content: BERLIN, validFrom: start - 10 * DAY });
    clock.advance(DAY);
    const right = await memory.add({ content: LISBON, validFrom: start - 100 * DAY, supersedes: wrong.id });
    const at = async (time: number) => contents(await memory.search(WHERE, { asOf: time }));
    expect(await at(start - 101 * DAY)).toEqual([]);
    for (const time of [start - 100 * DAY, start - 10 * DAY, start, clock.now()]) {
      expect(await at(time)).toEqual([LISBON]);
    }
    expect(await memory.get(wrong.id)).toMatchObject({
      ...{ content: BERLIN, state: 'expired', supersededBy: right.id },
      ...{ validFrom: start - 10 * DAY, expiresAt: start - 10 * DAY },
    });
    expect((await memory.history(right.id)).map(({ content }) => content)).toEqual([BERLIN, LISBON]);
  });

  it('keeps the other one from coming back to life', async () => {
    const { memory, clock } = testAgent();
    const old = await memory.add({ content: 'Anna lives in Bern' });
    clock.advance(DAY);
    await memory.update(old.id, { content: BERLIN });
    const now = await memory.add({ content: LISBON, supersedes: old.id });
    await expect(memory.update(old.id, { expiresAt: null })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `${old.id} was superseded by ${now.id}; when it ended cannot be changed.`,
      hint: `If it holds again, add its text as a new memory that supersedes ${now.id}.`,
    });
    await memory.undo(old.id);
    expect(contents(await memory.search(WHERE))).toEqual([LISBON]);
    const again = await memory.add({ content: BERLIN, supersedes: now.id });
    expect(contents(await memory.search(WHERE))).toEqual([BERLIN]);
    expect(again).toMatchObject({ outcome: 'added', supersedes: now.id });
  });

  it('of a wrong id or a foreign memory is refused, and nothing is written', async () => {
    const { memory, client } = testAgent();
    const bob = client.agent({ name: 'bob' }).memory;
    const foreign = await bob.add({ content: BERLIN });
    const lent = await bob.add({ content: 'Anna lives in Oslo', scope: 'swarm' });
    const gone = await memory.add({ content: 'gone' });
    await memory.forget(gone.id);
    const attempts = [
      ['mem_00000000000000000000000000', 'NOT_FOUND'],
      [foreign.id, 'NOT_FOUND'],
      [lent.id, 'FORBIDDEN'],
      [gone.id, 'FORGOTTEN'],
    ] as const;
    const events = (await client.events.read()).length;
    for (const [supersedes, code] of attempts) {
      await expect(memory.add({ content: LISBON, supersedes })).rejects.toMatchObject({ code });
    }
    expect(contents(await memory.list({ scope: 'agent' }))).toEqual([]);
    expect(await memory.search('Lisbon', { scope: 'agent' })).toEqual([]);
    expect(await client.memory.get(foreign.id)).toMatchObject({ state: 'live', supersededBy: null });
    expect(await client.memory.get(lent.id)).toMatchObject({ state: 'live', supersededBy: null });
    expect((await client.events.read()).length).toBe(events);
  });

  it('makes room under the cap', async () => {
    const { memory } = testAgent({ config: { memory: { maxEntries: 2 } } });
    const old = await memory.add({ content: BERLIN });
    await memory.add({ content: 'a second fact' });
    const { pruned } = await memory.add({ content: LISBON, supersedes: old.id });
    expect(pruned).toEqual([]);
    expect(contents(await memory.list())).toEqual([LISBON, 'a second fact']);
  });
});

describe('the past', () => {
  it('of a changed memory is what it said then, by words and by meaning', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: 'He plays the violin' });
    const first = clock.now();
    clock.advance(DAY);
    await memory.update(id, { content: 'He plays football' });
    const second = clock.now();
    clock.advance(DAY);
    await memory.update(id, { content: 'He paints landscapes' });
    const at = async (query: string, asOf?: number) =>
      contents(await memory.search(query, asOf === undefined ? {} : { asOf }));
    expect(await at('violin', first)).toEqual(['He plays the violin']);
    expect(await at('musical instrument', first)).toEqual(['He plays the violin']);
    expect(await at('football', first)).toEqual([]);
    expect(await at('violin', second)).toEqual([]);
    expect(await at('football', second)).toEqual(['He plays football']);
    expect(await at('violin')).toEqual([]);
    expect((await memory.search('violin', { asOf: first }))[0]).toMatchObject({
      id,
      version: 1,
      updatedAt: first,
    });
  });

  it('is not judged by the vector of today where a slow model gives none for then', async () => {
    const { memory, clock } = testAgent({ embedding: topicModel() });
    const { id } = await memory.add({ content: 'My kitten sleeps' });
    const then = clock.now();
    clock.advance(DAY);
    await memory.update(id, { content: 'A red lorry' });
    expect(contents(await memory.search('vehicle'))).toEqual(['A red lorry']);
    expect(await memory.search('vehicle', { asOf: then })).toEqual([]);
    expect(contents(await memory.search('kitten', { asOf: then }))).toEqual(['My kitten sleeps']);
  });

  it('before anything existed is empty', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: BERLIN });
    const before = clock.now() - 1;
    clock.advance(DAY);
    await memory.update(id, { content: LISBON });
    expect(await memory.search(WHERE, { asOf: before })).toEqual([]);
    expect(await memory.search(WHERE, { asOf: 0 })).toEqual([]);
  });

  it('begins with validFrom, also when that is long before it was stored', async () => {
    const { memory, clock } = testAgent();
    const { id, validFrom } = await memory.add({ content: BERLIN, validFrom: '2020-01-01T00:00:00Z' });
    expect(validFrom).toBe(Date.parse('2020-01-01T00:00:00Z'));
    expect(contents(await memory.search(WHERE, { asOf: '2020-01-01T00:00:00Z' }))).toEqual([BERLIN]);
    expect(await memory.search(WHERE, { asOf: '2019-12-31T23:59:59.999Z' })).toEqual([]);
    clock.advance(DAY);
    await memory.update(id, { content: LISBON });
    expect(contents(await memory.search(WHERE, { asOf: '2021-06-01T00:00:00Z' }))).toEqual([BERLIN]);
  });

  it('cannot begin in the future', async () => {
    const { memory, clock } = testAgent();
    await expect(memory.add({ content: BERLIN, validFrom: clock.now() + 1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await memory.add({ content: BERLIN, validFrom: clock.now() })).toMatchObject({ outcome: 'added' });
    expect(await memory.list()).toHaveLength(1);
  });

  it('shows what has expired since, and not what had expired by then', async () => {
    const { memory, clock } = testAgent();
    const start = clock.now();
    await memory.add({ content: BERLIN, expiresAt: start + 10 });
    clock.advance(DAY);
    expect(await memory.search(WHERE)).toEqual([]);
    expect(contents(await memory.search(WHERE, { asOf: start + 9 }))).toEqual([BERLIN]);
    expect(await memory.search(WHERE, { asOf: start + 10 })).toEqual([]);
  });

  it('is erased with what is forgotten, older versions included', async () => {
    const { memory, clock } = testAgent();
    const old = await memory.add({ content: BERLIN });
    const then = clock.now();
    clock.advance(DAY);
    await memory.update(old.id, { content: 'Anna lives in Oslo' });
    const later = clock.now();
    clock.advance(DAY);
    const { id } = await memory.add({ content: LISBON, supersedes: old.id });
    expect(contents(await memory.search(WHERE, { asOf: then }))).toEqual([BERLIN]);
    expect(contents(await memory.search(WHERE, { asOf: later }))).toEqual(['Anna lives in Oslo']);
    await memory.forget(old.id);
    expect(await memory.search(WHERE, { asOf: then })).toEqual([]);
    expect(await memory.search(WHERE, { asOf: later })).toEqual([]);
    expect(contents(await memory.search(WHERE))).toEqual([LISBON]);
    expect((await memory.history(id)).map(({ content }) => content)).toEqual(['', LISBON]);
  });

  it('keeps to the rights of today and of then', async () => {
    const { memory, client, clock } = testAgent();
    const bob = client.agent({ name: 'bob' }).memory;
    const shared = await memory.add({ content: BERLIN, scope: 'swarm' });
    const secret = await memory.add({ content: 'Anna lives under a false name' });
    const then = clock.now();
    clock.advance(DAY);
    await memory.update(shared.id, { scope: 'agent' });
    await memory.update(secret.id, { scope: 'swarm', content: 'Anna lives openly' });
    expect(await bob.search(WHERE, { asOf: then })).toEqual([]);
    expect(contents(await bob.search(WHERE))).toEqual(['Anna lives openly']);
    expect(await memory.search('Anna', { asOf: then })).toHaveLength(2);
  });

  it('is filtered as it was then', async () => {
    const { memory, clock } = testAgent();
    const { id } = await memory.add({ content: BERLIN, category: 'home', tags: ['then'], confidence: 0.9 });
    const then = clock.now();
    clock.advance(DAY);
    await memory.update(id, { category: 'address', tags: ['now'], confidence: 0.2 });
    const found = async (filter: object) => (await memory.search('Anna Berlin', filter)).length;
    expect(await found({ asOf: then, category: 'home', tags: ['then'], minConfidence: 0.5 })).toBe(1);
    expect(await found({ asOf: then, category: 'address' })).toBe(0);
    expect(await found({ category: 'home' })).toBe(0);
    expect(await found({ category: 'address', tags: ['now'] })).toBe(1);
  });

  it('a fact that was known before takes the place of another when it is said to, and only one can', async () => {
    const { memory } = testAgent();
    const old = await memory.add({ content: 'Anna lives in Berlin.' });
    const known = await memory.add({ content: 'Anna lives in Lisbon.' });
    const again = await memory.add({ content: 'Anna lives in Lisbon.', supersedes: old.id });
    expect(again).toMatchObject({ id: known.id, outcome: 'duplicate' });
    expect(await memory.get(old.id)).toMatchObject({ state: 'expired', supersededBy: known.id });
    await expect(memory.add({ content: 'Anna lives in Porto.', supersedes: old.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await memory.list()).map(({ id }) => id)).toEqual([known.id]);
  });
});
