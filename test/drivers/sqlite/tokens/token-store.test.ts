/** Token vectors in SQLite: who waits for them, what takes them away, and what a search is told of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../../src/drivers/sqlite/index.ts';
import type { TokenSpace } from '../../../../src/ports/token-model.ts';
import { addRecord, context, updateRecord } from '../../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const SPACE: TokenSpace = { id: 'test/tokens@4', dimensions: 4, passage: 3 };
const [UP, RIGHT] = [
  [127, 0, 0, 0],
  [0, 127, 0, 0],
];

async function opened() {
  const file = join(temporaryFolder(), 'k.db');
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  const tokens = storage.tokens!;
  const waiting = async () => (await tokens.waiting(SPACE, 100)).map(({ text }) => text);
  /** Encodes all that waits, as if every text said the same. */
  const read = async (vectors: readonly number[] = [...UP!, ...RIGHT!]) => {
    const drafts = (await tokens.waiting(SPACE, 100)).map(({ id, basis }) => ({ id, basis }));
    return tokens.save(
      SPACE,
      drafts.map((draft) => ({ ...draft, vectors: Int8Array.from(vectors) })),
    );
  };
  const line = (content: string, more = {}) =>
    addRecord(storage.records, { content, thread: 'talk', ...more });
  return { file, storage, tokens, waiting, read, line };
}

describe('the queue', () => {
  it('holds nothing until somebody uses a space, and then all records', async () => {
    const { tokens, waiting, line } = await opened();
    await line('one');
    expect(await waiting()).toEqual([]);
    expect(await tokens.backlog()).toEqual({ space: null, encoded: 0, waiting: 0 });
    expect(await tokens.hasWaiting()).toBe(false);
    await tokens.use(SPACE);
    await line('two');
    expect(await waiting()).toEqual(['one', 'two']);
    expect(await tokens.backlog()).toEqual({ space: SPACE.id, encoded: 0, waiting: 2 });
    expect(await tokens.hasWaiting()).toBe(true);
  });

  it('gives each text two before and one after it, of its own thread, owner and scope', async () => {
    const { tokens, line } = await opened();
    await tokens.use(SPACE);
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      await line(text);
      await line(`other ${text}`, { thread: 'elsewhere' });
      await line(`shared ${text}`, { scope: 'swarm' });
      await line(`alone ${text}`, { thread: null });
    }
    const all = await tokens.waiting(SPACE, 100);
    expect(all.find(({ text }) => text === 'c')).toMatchObject({ before: ['a', 'b'], after: 'd' });
    expect(all.find(({ text }) => text === 'shared e')).toMatchObject({
      before: ['shared c', 'shared d'],
      after: undefined,
    });
    expect(all.find(({ text }) => text === 'alone c')).toMatchObject({ before: [], after: undefined });
  });

  it('takes the one before a new record again, whose vectors serve meanwhile', async () => {
    const { tokens, waiting, read, line } = await opened();
    await tokens.use(SPACE);
    const { id } = await line('one');
    expect(await read()).toBe(1);
    await line('two');
    expect(await waiting()).toEqual(['one', 'two']);
    expect((await tokens.matches([id], SPACE, Int8Array.from(UP!))).get(id)).toBeCloseTo(1);
  });

  it('begins anew with another space, and drops the vectors of the last one', async () => {
    const { tokens, read, line } = await opened();
    await tokens.use(SPACE);
    await line('one');
    await read();
    const next = { ...SPACE, id: 'test/other@4' };
    await tokens.use(next);
    expect(await tokens.backlog()).toEqual({ space: next.id, encoded: 0, waiting: 1 });
    expect(await tokens.waiting(SPACE, 10)).toEqual([]);
    expect(await tokens.save(SPACE, [])).toBe(0);
  });

  it('does not save what changed while it was read', async () => {
    const { storage, tokens, waiting, line } = await opened();
    await tokens.use(SPACE);
    await line('one');
    const two = await line('two');
    const [first, second] = await tokens.waiting(SPACE, 10);
    await storage.records.forget(two.id, context());
    const vectors = Int8Array.from(UP!);
    expect(await tokens.save(SPACE, [{ ...first!, vectors }])).toBe(0);
    expect(await tokens.save(SPACE, [{ ...second!, vectors }])).toBe(0);
    expect(await waiting()).toEqual(['one']);
  });
});

describe('what is taken back', () => {
  async function fiveRead() {
    const all = await opened();
    await all.tokens.use(SPACE);
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd', 'e']) ids.push((await all.line(text)).id);
    await all.read();
    const have = async () => {
      const found = await all.tokens.matches(ids, SPACE, Int8Array.from(UP!));
      return ['a', 'b', 'c', 'd', 'e'].filter((_, i) => found.has(ids[i]!));
    };
    return { ...all, ids, have };
  }

  it('leaves the vectors of its neighbours with it: they were made of it too', async () => {
    const { storage, ids, have, waiting } = await fiveRead();
    expect(await have()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await storage.records.forget(ids[1]!, context());
    expect(await have()).toEqual(['e']);
    expect(await waiting()).toEqual(['a', 'c', 'd']);
  });

  it('is nowhere in the file', async () => {
    const { storage, tokens, file, ids } = await fiveRead();
    const secret = Int8Array.from({ length: 40 }, (_, i) => 3 * i - 60);
    await updateRecord(storage.records, ids[1]!, { content: 'secret' });
    const [waits] = (await tokens.waiting(SPACE, 10)).filter(({ text }) => text === 'secret');
    expect(await tokens.save(SPACE, [{ ...waits!, vectors: secret }])).toBe(1);
    await storage.records.forget(ids[1]!, context());
    await storage.close();
    expect(readFileSync(file).includes(Buffer.from(secret.buffer))).toBe(false);
  });

  it('counts also when it was changed, or went to another scope', async () => {
    const { storage, ids, have, read } = await fiveRead();
    await updateRecord(storage.records, ids[2]!, { content: 'other' });
    expect(await have()).toEqual(['a']);
    await read();
    await updateRecord(storage.records, ids[2]!, { scope: 'swarm' });
    expect(await have()).toEqual(['a']);
  });

  it('does not count when only its labels changed', async () => {
    const { storage, ids, have, waiting } = await fiveRead();
    await updateRecord(storage.records, ids[2]!, { tags: ['x'], confidence: 0.5 });
    expect(await have()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await waiting()).toEqual([]);
  });

  it('is all of it when late interaction is switched off', async () => {
    const { tokens, line, have, waiting } = await fiveRead();
    await tokens.drop();
    await line('f');
    expect(await have()).toEqual([]);
    expect(await waiting()).toEqual([]);
    expect(await tokens.backlog()).toEqual({ space: null, encoded: 0, waiting: 0 });
  });
});

describe('a match', () => {
  it('is the mean over the question of the closest token, in the best passage', async () => {
    const { tokens, line } = await opened();
    await tokens.use(SPACE);
    const { id } = await line('long');
    const { id: empty } = await line('unreadable');
    const [first, second] = await tokens.waiting(SPACE, 10);
    const between = [90, 90, 0, 0];
    // Three tokens to a passage: the two halves of the question stand in one passage only in the second one.
    const vectors = Int8Array.from([UP!, UP!, UP!, UP!, RIGHT!, between].flat());
    await tokens.save(SPACE, [
      { ...first!, vectors },
      { ...second!, vectors: new Int8Array(0) },
    ]);
    const ask = async (...rows: (readonly number[])[]) =>
      (await tokens.matches([id, empty, 'mem_none'], SPACE, Int8Array.from(rows.flat()))).get(id);
    expect(await ask(UP!, RIGHT!)).toBeCloseTo(1);
    expect(await ask(between)).toBeCloseTo(1, 1);
    expect(await ask([0, 0, 127, 0], UP!)).toBeCloseTo(0.5);
    expect((await tokens.matches([empty], SPACE, Int8Array.from(UP!))).size).toBe(0);
    expect((await tokens.matches([id], { ...SPACE, id: 'else' }, Int8Array.from(UP!))).size).toBe(0);
  });
});
