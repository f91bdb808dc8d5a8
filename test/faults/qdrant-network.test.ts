/** The way to Qdrant fails in every manner: searches are answered in time, nothing is lost, and all is carried afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineQdrant } from '../../src/drivers/qdrant/index.ts';
import { addRecord, context } from '../../src/testing/conformance/drafts.ts';
import { type QdrantServer, qdrantServer } from '../drivers/qdrant/server.ts';
import {
  at,
  databaseFile,
  near,
  Outside,
  openIndexed,
  openPlain,
  PREFIX,
  settled,
} from '../drivers/qdrant/workbench.ts';
import { FAULTS, type FaultProxy, faultProxy } from './support/fault-proxy.ts';

/** The promises. */
const IN_TIME_MS = 2_000;
const RECOVERY_MS = 5_000;
let server: QdrantServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await qdrantServer();
  proxy = await faultProxy(Number(new URL(server.url).port));
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

async function inTime<T>(limit: number, call: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await call();
  expect(performance.now() - start).toBeLessThan(limit);
  return result;
}

it.each(FAULTS)('%s', async (fault) => {
  const file = databaseFile();
  const storage = await openIndexed(file, { url: `http://127.0.0.1:${proxy.port}` });
  const plain = await openPlain(file);
  const ids: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 3 }, async () => {
    for (let i = 0; !isOver; i++) {
      const { id } = await addRecord(storage.records, { embedding: at(i % 360) });
      if (i % 4 === 3) await storage.records.forget(id, context());
      else ids.push(id);
      await pause(5);
    }
  });
  while (ids.length < 30) await pause(5);
  await proxy.begin(fault);
  const during = ids.length;
  for (let i = 0; i < 5; i++) {
    const found = await inTime(IN_TIME_MS, () => near(storage));
    expect(ids.slice(0, during).filter((id) => !found.includes(id))).toEqual([]);
    await pause(100);
  }
  // Writes never wait for Qdrant.
  expect(ids.length).toBeGreaterThan(during);
  await proxy.heal();
  isOver = true;
  await Promise.all(writers);
  await inTime(RECOVERY_MS, () => settled(storage));
  expect(await near(storage)).toEqual(await near(plain));
  expect((await storage.indexStatus!()).isUp).toBe(true);
  await expect
    .poll(() => new Outside(server.url).records(storage), { timeout: RECOVERY_MS })
    .toEqual([...ids].sort());
  const findings = await examineQdrant(plain, { url: server.url, prefix: PREFIX, fix: false });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
});
