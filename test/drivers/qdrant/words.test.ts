/** Words that Qdrant finds for Postgres: the same records with the same scores as Postgres finds alone, whatever happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryTerms } from '../../../src/kernel/analysis.ts';
import type { TextQuery } from '../../../src/ports/record-store.ts';
import { ADMIN, addRecord, START } from '../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../src/testing/index.ts';
import { type Schemas, schemasForTests } from '../postgres/schemas.ts';
import { addAnything, anyFilter, changeAnything, VIEWERS } from './history.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { found, openWorded, text, word, worded } from './words.ts';
import { at, settled, until } from './workbench.ts';

let server: QdrantServer;
let schemas: Schemas;

beforeAll(async () => {
  [server, schemas] = await Promise.all([qdrantServer(), schemasForTests()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([server.stop(), schemas.stop()]);
});

function anyQuery(random: SeededRandom): TextQuery {
  const count = random.pick([1, 1, 2, 3, 5, 12, 64]);
  const asked = Array.from({ length: count }, () => word(random)).join(' ');
  return {
    viewer: random.pick(VIEWERS),
    now: START + Math.floor(random.next() * 20) - 10,
    filter: random.next() < 0.5 ? {} : anyFilter(random),
    terms: random.next() < 0.1 ? ['nobody', 'says'] : queryTerms(asked, 64),
    limit: random.pick([1, 3, 10, 40, 1_000]),
  };
}

describe('words through Qdrant', () => {
  it('find what Postgres finds, with filters, changes that wait, no vectors and Qdrant down in between', {
    timeout: 180_000,
  }, async () => {
    const random = seededRandom(Number(process.env.KEEPSAKE_SEED ?? 20_261_117));
    const { storage, plain, asked } = await openWorded(schemas.take(), { url: server.url });
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      // Most of one length, so that many score alike; one of a hundred has no vector.
      const texts = Array.from({ length: 100 }, (_, k) =>
        k < 60 ? text(random) : `${word(random)} ${word(random)}`,
      );
      const some = texts.map((content, k) =>
        addAnything(storage, random, k === 99 ? { content, embedding: undefined as never } : { content }),
      );
      ids.push(...(await Promise.all(some)));
    }
    await worded(storage, server.url);
    let compared = 0;
    let hits = 0;
    const compare = async (): Promise<void> => {
      const query = anyQuery(random);
      const expected = await found(plain, query);
      const told = `seed ${random.seed}, query ${compared}: ${JSON.stringify(query)}`;
      expect(await found(storage, query), told).toEqual(expected);
      compared++;
      hits += expected.length;
    };
    for (let i = 0; i < 300; i++) {
      await compare();
      if (i % 3 === 0) await changeAnything(storage, ids, random, () => text(random));
      if (i % 50 === 0) await settled(storage);
    }
    expect(hits).toBeGreaterThan(1_000);
    // Where very many score alike, and nowhere else, the main engine decides.
    console.log('by the main engine', asked(), 'of', compared);
    expect(asked()).toBeLessThan(compared / 10);

    await server.kill();
    const before = asked();
    for (let i = 0; i < 20; i++) {
      await compare();
      await changeAnything(storage, ids, random, () => text(random));
    }
    expect(asked()).toBe(before + 20);
    await server.start();
    await settled(storage);
    for (let i = 0; i < 30; i++) await compare();
    expect(asked()).toBeLessThan(before + 20 + 10);
  });
});
