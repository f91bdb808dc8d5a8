/** When the search in memory holds records, when it gives the memory back, and that it fails rather than answers from an old state. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type News,
  type ResidentRow,
  ResidentSearch,
  type ResidentSource,
} from '../../../src/drivers/resident-search/index.ts';
import type { MemoryRecord } from '../../../src/kernel/record.ts';

const BYTES = 2 ** 24;

const row = (rid: number, content: string): ResidentRow => ({
  rid,
  record: {
    ...{ id: `mem_${rid}`, agent: 'ann', user: null, scope: 'agent', source: 'manual', category: 'fact' },
    ...{
      tags: [],
      content,
      metadata: {},
      thread: null,
      expiresAt: null,
      createdAt: 0,
      updatedAt: 0,
      version: 1,
    },
  } as unknown as MemoryRecord,
  embedding: undefined,
});

/** An engine of a few rows that counts how often all of them are read. */
class Engine implements ResidentSource<number> {
  readonly rows = [row(1, 'lamp'), row(2, 'lamp table')];
  changes: ResidentRow[] = [];
  loads = 0;
  isDown = false;

  async head(): Promise<News<number>> {
    this.loads++;
    return this.#news(this.changes.length, []);
  }

  async page(after: number): Promise<ResidentRow[]> {
    return this.rows.filter(({ rid }) => rid > after);
  }

  async since(position: number): Promise<News<number>> {
    if (this.isDown) throw new Error('The engine does not answer.');
    return this.#news(this.changes.length, this.changes.slice(position));
  }

  async logarithms(values: readonly number[]): Promise<number[]> {
    return values.map(Math.log);
  }

  #news(position: number, rows: readonly ResidentRow[]): News<number> {
    const live = new Map([...this.rows, ...this.changes].map((each) => [each.rid, each.record]));
    const texts = [...live.values()].flatMap((record) => (record === undefined ? [] : [record]));
    // The words of the text, the category, and a mark of who may see it.
    const words = texts.reduce((sum, { content }) => sum + content.split(' ').length + 2, 0);
    return { position, rows, more: false, records: texts.length, words };
  }
}

const query = {
  ...{ viewer: { role: 'admin' } as const, now: 0, filter: {}, terms: ['lamp'], limit: 10 },
};
let engine: Engine;
let search: ResidentSearch<number>;
const ids = async (): Promise<string[] | undefined> =>
  (await (await search.current())?.searchText(query))?.map(({ record }) => record.id).sort();

beforeEach(() => {
  vi.useFakeTimers();
  engine = new Engine();
  search = new ResidentSearch(engine, { bytes: BYTES, isEager: true });
});
afterEach(() => {
  search.close();
  vi.useRealTimers();
});

it('a change is known to whoever asks after it, and what is gone is not found', async () => {
  expect(await ids()).toEqual(['mem_1', 'mem_2']);
  engine.changes = [{ rid: 1, record: undefined, embedding: undefined }, row(3, 'lamp shade')];
  expect(await ids()).toEqual(['mem_2', 'mem_3']);
  expect(engine.loads).toBe(1);
});

it('an engine that does not answer is an error, not an answer from before, and afterwards all goes on', async () => {
  expect(await ids()).toEqual(['mem_1', 'mem_2']);
  engine.isDown = true;
  await expect(ids()).rejects.toThrow('The engine does not answer.');
  engine.isDown = false;
  engine.changes = [{ rid: 1, record: undefined, embedding: undefined }];
  expect(await ids()).toEqual(['mem_2']);
});

it('gives the memory back when nobody has searched for ten minutes, and not before', async () => {
  await ids();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(search.bytes).toBeGreaterThan(0);
  await ids();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(search.bytes).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(search.bytes).toBe(0);
  expect(await ids()).toEqual(['mem_1', 'mem_2']);
  expect(engine.loads).toBe(2);
});
