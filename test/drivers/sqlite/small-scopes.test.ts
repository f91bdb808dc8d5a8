/** Which scopes SQLite reads whole, and what it keeps of them. */
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { RecordCache } from '../../../src/drivers/sqlite/record-cache.ts';
import { SmallScopes } from '../../../src/drivers/sqlite/small-scopes.ts';
import type { Viewer } from '../../../src/kernel/scope.ts';
import type { RecordDraft } from '../../../src/ports/record-store.ts';
import { ALICE, addRecord } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const DANA: Viewer = { ...ALICE, user: 'dana' };

/** A store, and the scopes of another connection to the same file. */
async function opened() {
  const file = `${temporaryFolder()}/k.db`;
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  const database = new Database(file);
  onTestFinished(() => void database.close());
  const cache = new RecordCache(database);
  const many = (count: number, fields: Partial<RecordDraft>) =>
    Promise.all(Array.from({ length: count }, () => addRecord(storage.records, fields)));
  return { database, cache, scopes: new SmallScopes(database, cache), many };
}

it('reads a scope in the same way, whatever it has kept', async () => {
  const { scopes, many } = await opened();
  await many(100, { scope: 'swarm' });
  await many(300, { agent: 'bob', scope: 'swarm' });
  await many(50, { user: 'dana' });
  expect(scopes.of(DANA)).toBe(undefined);
  expect(scopes.of(ALICE)?.map(({ records }) => records.length)).toEqual([100, 300]);
  expect(scopes.of(DANA)).toBe(undefined);
});

it('reads nothing of a scope whose last part is too large', async () => {
  const { scopes, cache, database, many } = await opened();
  const [own] = await many(1, {});
  await many(513, { agent: 'bob', scope: 'swarm' });
  expect(scopes.of(ALICE)).toBe(undefined);
  const rid = database.prepare('SELECT rid FROM records WHERE id = ?').pluck().get(own!.id) as number;
  expect(cache.bytesOf(rid)).toBe(0);
});

it('names what is shared alike for all who see all of it', async () => {
  const { scopes, many } = await opened();
  await many(2, { agent: 'bob', scope: 'swarm' });
  const nameFor = (agent: string) => scopes.of({ agent, role: 'worker' })!.at(-1)!.name;
  expect(nameFor('alice')).toBe(nameFor('carol'));
  await many(1, { agent: 'alice', scope: 'swarm' });
  expect(nameFor('alice')).not.toBe(nameFor('carol'));
});

it('keeps nothing of a record once this connection has changed it', async () => {
  const { scopes, database, many } = await opened();
  const [secret] = await many(3, { content: 'a secret' });
  expect(scopes.of(ALICE)).toHaveLength(1);
  expect(scopes.bytes).toBeGreaterThan(0);
  database.prepare('UPDATE records SET access_count = 1 WHERE id = ?').run(secret!.id);
  expect(scopes.bytes).toBe(0);
});

it('keeps so many bytes of records and not so many parts', async () => {
  const { scopes, many } = await opened();
  const agents = Array.from({ length: 20 }, (_, i) => `agent-${i}`);
  for (const agent of agents) await many(1, { agent, metadata: { note: 'x'.repeat(2 ** 20) } });
  for (const agent of agents) expect(scopes.of({ agent, role: 'worker' })).toHaveLength(1);
  expect(scopes.bytes).toBeGreaterThan(2 ** 24);
  expect(scopes.bytes).toBeLessThanOrEqual(2 ** 25);
});
