/** When the index in memory answers, when it leaves that to FTS5, and what it forgets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { siloToken } from '../../../../src/drivers/sqlite/match-expression.ts';
import { MemoryTextIndex } from '../../../../src/drivers/sqlite/text/memory-text-index.ts';
import { ResidentText } from '../../../../src/drivers/sqlite/text/resident-text.ts';
import { ADMIN, addRecord, context } from '../../../../src/testing/conformance/drafts.ts';
import { answer, newFile, open, question, residentAnswer, residentOn } from './fixture.ts';

const MANY_TURNS = 2_000;

/** Time for what happens in the background. */
const turn = () => sleep(2);

let made = 0;

async function fill(storage: Awaited<ReturnType<typeof open>>, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, () => addRecord(storage.records, { content: `badger ${made++}` })),
  );
}

it('begins in the background after some questions, and not before', async () => {
  const file = newFile();
  const storage = await open(file);
  await fill(storage, 200);
  const { resident } = residentOn(file, 'auto');
  for (let i = 0; i < 4; i++) expect(resident.find(question(['badger']))).toBeUndefined();
  for (let i = 0; i < 20; i++) resident.find(question(['badger']));
  for (let i = 0; i < MANY_TURNS && resident.find(question(['badger'])) === undefined; i++) await turn();
  expect(residentAnswer(resident, question(['badger']))).toEqual(await answer(storage, question(['badger'])));
});

it('gets ready in a program that searches without ever pausing', async () => {
  const file = newFile();
  await fill(await open(file), 200);
  const { resident } = residentOn(file, 'auto');
  const MOST_CALLS = 20_000_000;
  let calls = 0;
  while (resident.find(question(['badger'])) === undefined && calls < MOST_CALLS) calls++;
  expect(calls).toBeGreaterThan(10);
  expect(calls).toBeLessThan(MOST_CALLS);
});

it('leaves many changes at once to FTS5 until it has taken them over', async () => {
  const file = newFile();
  const storage = await open(file);
  await fill(storage, 5);
  const { resident } = residentOn(file, 'auto');
  for (let i = 0; i < MANY_TURNS && resident.find(question(['badger'])) === undefined; i++) await turn();
  expect(resident.find(question(['badger']))).toHaveLength(5);
  await fill(storage, 300);
  expect(resident.find(question(['badger']))).toBeUndefined();
  for (let i = 0; i < MANY_TURNS && resident.find(question(['badger'])) === undefined; i++) await turn();
  const all = question(['badger'], { limit: 1_000 });
  expect(resident.find(all)).toHaveLength(305);
});

it('answers from memory once it has everything there', async () => {
  const file = newFile();
  const [ours, theirs] = [await open(file, 'resident'), await open(file, 'fts5')];
  await addRecord(ours.records, { content: 'aardvark' });
  expect(await answer(ours, question(['aardvark']))).toHaveLength(1);
  // As many words as before, so that only an answer can tell that FTS5 has other ones now.
  const { database } = residentOn(file);
  const silo = siloToken('alice');
  database
    .prepare(
      "INSERT INTO records_text (records_text, rowid, body, labels, silo) VALUES ('delete', 1, ?, ?, ?)",
    )
    .run('aardvark', 'fact', silo);
  database
    .prepare('INSERT INTO records_text (rowid, body, labels, silo) VALUES (1, ?, ?, ?)')
    .run('badger', 'fact', silo);
  expect(await answer(ours, question(['aardvark']))).toHaveLength(1);
  expect(await answer(theirs, question(['aardvark']))).toHaveLength(0);
});

it('does not answer when FTS5 counts other records or words than it does', async () => {
  const file = newFile();
  const storage = await open(file);
  await fill(storage, 5);
  const { resident, database } = residentOn(file);
  expect(resident.find(question(['badger']))).toHaveLength(5);
  database.exec("INSERT INTO records_text (rowid, body, labels, silo) VALUES (99, 'ghost', '', 'swarm')");
  expect(resident.find(question(['badger']))).toBeUndefined();
});

it.each([
  ['events are missing', 'DELETE FROM events'],
  ['a backup was restored', `INSERT INTO events (at, type, event) VALUES (0, 'storage.restored', '{}')`],
])('is rebuilt when %s', async (_, sql) => {
  const file = newFile();
  const storage = await open(file);
  await fill(storage, 5);
  const { database } = residentOn(file);
  const textIndex = new MemoryTextIndex(database);
  expect(textIndex.advance(Number.POSITIVE_INFINITY)).toBe('current');
  await fill(storage, 1);
  database.exec(sql);
  expect(textIndex.follow(10)).toBe('lost');
  expect(new MemoryTextIndex(database).advance(Number.POSITIVE_INFINITY)).toBe('current');
});

it('has no word of a record that was forgotten, and keeps those that others share', async () => {
  const file = newFile();
  const storage = await open(file);
  const { database } = residentOn(file);
  await addRecord(storage.records, { content: 'the vault opens' });
  const secret = await addRecord(storage.records, {
    content: 'the vault opens with xyzzyplughplover',
    tags: ['plugh'],
  });
  const textIndex = new MemoryTextIndex(database);
  textIndex.advance(Number.POSITIVE_INFINITY);
  const { dictionary, documents, lists } = textIndex.words.index;
  expect(dictionary.recordsWith('vault')).toBe(2);
  expect(dictionary.recordsWith('plugh')).toBe(1);
  const before = documents.entries;
  await storage.records.forget(secret.id, context(ADMIN));
  expect(textIndex.follow(10)).toBe('current');
  expect(dictionary.find('plugh')).toBeUndefined();
  expect(dictionary.find('xyzzyplughplov')).toBeUndefined();
  expect(dictionary.recordsWith('vault')).toBe(1);
  expect(documents.entries).toBeLessThan(before);
  expect(documents.has(2)).toBe(false);
  const [partition] = textIndex.words.index.partitions(['manual alice']);
  for (const list of partition!.values())
    lists.visit(list, (page) => expect([...page].filter((value) => value >>> 11 === 2)).toEqual([]));
});

it('lets go of forgotten words soon after a forget, although nobody searches', async () => {
  const file = newFile();
  const storage = await open(file);
  const secret = await addRecord(storage.records, { content: 'xyzzy' });
  const { database } = residentOn(file);
  const text = new ResidentText(database, true, () => {});
  expect(text.isReady()).toBe(true);
  const { dictionary } = text.upToDate()!.index;
  expect(dictionary.recordsWith('xyzzi')).toBe(1);
  await storage.records.forget(secret.id, context(ADMIN));
  text.refresh();
  for (let i = 0; i < MANY_TURNS && dictionary.find('xyzzi') !== undefined; i++) await turn();
  expect(dictionary.find('xyzzi')).toBeUndefined();
});

it('stops quietly when the database is closed while it is being made', async () => {
  const file = newFile();
  const storage = await open(file);
  await fill(storage, 400);
  const { database, resident } = residentOn(file, 'auto');
  for (let i = 0; i < 20; i++) resident.find(question(['badger']));
  database.close();
  await turn();
  await turn();
  expect(database.open).toBe(false);
});
