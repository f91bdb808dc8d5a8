/** Packs make loading quick and change nothing else: they follow every change, and keep nothing that was forgotten. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ADMIN, context, START, updateRecord } from '../../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../../src/testing/index.ts';
import { addMany, look, MODEL, newFile, open, results, topicVectors } from './fixture.ts';

const counts = (file: string) => look<number>(file, 'SELECT count FROM vector_packs ORDER BY first_seq');

async function untilPacked(file: string, expected: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 200 && counts(file).length < expected.length; tries++) await sleep(5);
  expect(counts(file)).toEqual(expected);
}

describe('packs', () => {
  it('are made while vectors are written, and give what the vectors give', async () => {
    const file = newFile();
    const random = seededRandom(1);
    const vector = topicVectors(random, 20);
    const writer = await open(file);
    await addMany(writer, 2_300, vector);
    await addMany(writer, 50, vector, { scope: 'swarm' });
    await untilPacked(file, [1_024, 1_024]);
    const [fresh, plain] = [await open(file), await open(file, 'plain')];
    for (let i = 0; i < 10; i++) {
      const embedding = { model: MODEL, vector: vector() };
      const right = await results(plain, embedding);
      expect(await results(fresh, embedding)).toEqual(right);
      expect(await results(writer, embedding)).toEqual(right);
    }
  });

  it('are made by the first search that had to read many vectors one by one', async () => {
    const file = newFile();
    const vector = topicVectors(seededRandom(2), 8);
    for (let i = 0; i < 3; i++) {
      const writer = await open(file);
      await addMany(writer, 500, vector);
      await writer.close();
    }
    expect(counts(file)).toEqual([]);
    const reader = await open(file);
    await results(reader, { model: MODEL, vector: vector() });
    await untilPacked(file, [1_024]);
  });

  it('are smaller at the end, and give what the vectors give', async () => {
    const file = newFile();
    const vector = topicVectors(seededRandom(3), 8);
    const writer = await open(file);
    await addMany(writer, 600, vector);
    await writer.close();
    const reader = await open(file);
    const embedding = { model: MODEL, vector: vector() };
    const before = await results(reader, embedding);
    await untilPacked(file, [600]);
    expect(await results(await open(file), embedding)).toEqual(before);
    await addMany(reader, 400, vector);
    await results(await open(file), embedding);
    await addMany(reader, 200, vector);
    const [fresh, plain] = [await open(file), await open(file, 'plain')];
    expect(await results(fresh, embedding)).toEqual(await results(plain, embedding));
    await untilPacked(file, [600, 600]);
  });

  it('keep nothing of what was forgotten, nor of the vectors it had before', async () => {
    const file = newFile();
    const vector = topicVectors(seededRandom(4), 16);
    const storage = await open(file);
    const ids = await addMany(storage, 1_024, vector);
    await untilPacked(file, [1_024]);
    const spread = (shift: number) =>
      Float32Array.from({ length: 16 }, (_, i) => 1 + ((i * 7 + shift) % 16) / 16);
    const secret = { model: MODEL, vector: spread(3) };
    const marked = (await addMany(storage, 1, () => spread(3)))[0]!;
    await addMany(storage, 1_023, vector);
    await untilPacked(file, [1_024, 1_024]);
    await updateRecord(storage.records, marked, {
      content: 'other',
      embedding: { model: MODEL, vector: spread(9) },
    });
    expect(look(file, 'SELECT count(*) FROM vector_gaps')).toEqual([1]);
    const codes = codesOf(file, spread(3));
    expect(codes).toBe(true);
    await storage.records.forget(marked, context());
    expect([counts(file), look(file, 'SELECT count(*) FROM vector_gaps')]).toEqual([[1_024], [0]]);
    await storage.close();
    expect(codesOf(file, spread(3))).toBe(false);
    const again = await open(file);
    expect((await results(again, secret, { limit: 3_000 })).map(([id]) => id)).not.toContain(marked);
    expect((await results(again, secret, { limit: 3_000 })).length).toBe(2_047);
    expect(ids.length).toBe(1_024);
  });

  it('that have lost a quarter of their vectors are dropped, and made again when it is worth it', async () => {
    const file = newFile();
    const vector = topicVectors(seededRandom(5), 8);
    const storage = await open(file);
    const ids = await addMany(storage, 1_024, vector);
    await untilPacked(file, [1_024]);
    await Promise.all(ids.slice(0, 256).map((id) => updateRecord(storage.records, id, { scope: 'swarm' })));
    expect(look(file, 'SELECT count(*) FROM vector_gaps')).toEqual([256]);
    const plain = await open(file, 'plain');
    const fresh = await open(file);
    const embedding = { model: MODEL, vector: vector() };
    expect(await results(fresh, embedding)).toEqual(await results(plain, embedding));
    await updateRecord(storage.records, ids[300]!, { scope: 'swarm' });
    expect(counts(file)).toEqual([]);
    await addMany(storage, 1_024, vector);
    await untilPacked(file, [1_024, 767]);
    expect(await results(await open(file), embedding)).toEqual(await results(plain, embedding));
  });

  it('survive a restore, after which an open store finds what the backup had', async () => {
    const file = newFile();
    const vector = topicVectors(seededRandom(6), 8);
    const storage = await open(file);
    const ids = await addMany(storage, 1_030, vector);
    await untilPacked(file, [1_024]);
    const embedding = { model: MODEL, vector: vector() };
    const before = await results(storage, embedding, { limit: 5 });
    await storage.maintenance.backup(`${file}.backup`);
    for (const [id] of before) await storage.records.forget(id, context(ADMIN));
    await addMany(storage, 20, vector);
    expect(await results(storage, embedding, { limit: 5 })).not.toEqual(before);
    await storage.maintenance.restore(`${file}.backup`, { keepAs: `${file}.before`, now: START });
    expect(await results(storage, embedding, { limit: 5 })).toEqual(before);
    const [added] = await addMany(storage, 1, () => embedding.vector);
    expect((await results(storage, embedding, { limit: 2_000 })).map(([id]) => id)).toContain(added);
    expect(ids.length).toBe(1_030);
  });
});

/** Whether the rounded vector is anywhere in the file or its journal. */
function codesOf(file: string, vector: Float32Array): boolean {
  const largest = Math.max(...vector);
  const codes = Buffer.from(vector.map((value) => Math.round((value / largest) * 127)));
  return readFileSync(file).includes(codes) || readOr(`${file}-wal`).includes(codes);
}

function readOr(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
