/** Postgres with Qdrant as the index of its vectors passes the same suite as Postgres alone, and finds the same. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { recordVectors } from '../../../src/testing/conformance/record-vectors.ts';
import { registerSuite } from '../../../src/testing/conformance/suite.ts';
import { type Schemas, schemasForTests } from '../postgres/schemas.ts';
import { findsTheSame, searchedByQdrant } from './history.ts';
import { type QdrantServer, qdrantForTests } from './server.ts';
import { Outside, PREFIX } from './workbench.ts';

let server: Pick<QdrantServer, 'url'>;
let schemas: Schemas;

beforeAll(async () => {
  [server, schemas] = await Promise.all([qdrantForTests(), schemasForTests()]);
}, 60_000);
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
  await schemas.stop();
});

async function open() {
  const url = schemas.take();
  const again = async () => withQdrant(await openPostgres({ url }), { url: server.url, prefix: PREFIX });
  return { storage: await again(), again, remove: () => schemas.giveBack(url) };
}

// The rest of the suite never comes near the index: it runs against Postgres alone.
registerSuite('vectors of records', recordVectors, { describe, it, expect, open });

it('every filter gives what Postgres gives, in the same order', { timeout: 120_000 }, async () => {
  const url = schemas.take();
  const plain = await openPostgres({ url });
  onTestFinished(() => plain.close());
  await findsTheSame(searchedByQdrant(await openPostgres({ url }), server.url), plain);
});
