/** Several processes carry the same changes and are killed in the middle: in the end Qdrant holds what it should. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineQdrant } from '../../../src/drivers/qdrant/index.ts';
import { ADMIN, START } from '../../../src/testing/conformance/drafts.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { databaseFile, near, Outside, openIndexed, openPlain, PREFIX, settled, until } from './workbench.ts';

let server: QdrantServer;
beforeAll(async () => {
  server = await qdrantServer();
});
afterAll(() => server.stop());

/** Resolves with what it told, once it was killed. */
async function killedAfter(file: string, lines: number): Promise<string[]> {
  const program = fileURLToPath(new URL('./writer.ts', import.meta.url));
  const child = spawn(process.execPath, [program, file, server.url, PREFIX], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let told = '';
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.split('\n').length > lines) child.kill('SIGKILL');
  }
  await gone;
  return told.split('\n').filter((line) => /^\w+ mem_\w{26}$/.test(line));
}

it('nothing is lost or left over by processes that are killed while they carry', {
  timeout: 120_000,
}, async () => {
  const file = databaseFile();
  const told: string[] = [];
  for (let round = 0; round < 4; round++) {
    // Qdrant itself goes once, too.
    const outage = round === 2 ? server.kill().then(() => server.start()) : undefined;
    told.push(...(await Promise.all([killedAfter(file, 40), killedAfter(file, 60)])).flat());
    await outage;
  }
  const of = (word: string): string[] =>
    told.flatMap((line) => (line.startsWith(word) ? [line.split(' ')[1]!] : []));
  const forgotten = new Set(of('forgot'));
  const acknowledged = of('added').filter((id) => !forgotten.has(id));
  expect(acknowledged.length).toBeGreaterThan(100);

  const storage = await openIndexed(file, { url: server.url });
  await settled(storage);
  const plain = await openPlain(file);
  const present = await plain.records.list({ viewer: ADMIN, now: START, filter: {}, limit: 10_000 });
  const ids = present.map(({ id }) => id);
  // The last write of a process may have been made without being told of, a forgotten one included.
  const lost = acknowledged.filter((id) => !ids.includes(id));
  expect(lost.length).toBeLessThanOrEqual(8);
  for (const id of lost) expect((await plain.records.get(id, ADMIN, START))?.forgottenAt).not.toBeNull();
  expect(await near(storage, { limit: 10_000 })).toEqual(await near(plain, { limit: 10_000 }));

  // What a killed process had sent without a note of it is found by the check of every process that lives on.
  const outside = new Outside(server.url);
  await until(async () => (await outside.records(storage)).length === ids.length);
  expect(await outside.records(storage)).toEqual([...ids].sort());
  const findings = await examineQdrant(plain, { url: server.url, prefix: PREFIX, fix: false });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
});
