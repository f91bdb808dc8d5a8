/** Words of messages: the conversations of a user are searched without reading what others said, and nothing is missed. */

import SqliteDatabase from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { siloToken } from '../../../src/drivers/sqlite/match-expression.ts';
import { threadKey, threadsOf } from '../../../src/kernel/threads.ts';
import { nextId, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

async function opened() {
  const file = `${temporaryFolder()}/k.db`;
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  const say = async (user: string | null, thread: string | null, text: string, agent = 'support') => {
    const key = threadKey({ agent, user, thread });
    const draft = { id: nextId('msg'), agent, thread: key, run: null, role: 'User', content: text, text };
    const [message] = await storage.log.append([{ ...draft, metadata: {}, at: START }]);
    return message!;
  };
  const find = async (where: object, terms = ['tea']) =>
    (await storage.log.search({ terms, limit: 20, ...where })).map(({ content }) => content);
  return { file, storage, say, find };
}

it('finds what a user said in any thread, with one agent or with all, and what nobody else said', async () => {
  const { say, find } = await opened();
  await say('dana', null, 'tea without a thread');
  await say('dana', 'trip', 'tea on a trip');
  await say('dana', 'trip', 'tea with another agent', 'sales');
  await say('Dana', 'trip', 'tea of somebody else');
  await say(null, 'trip', 'tea of nobody in a thread');
  await say(null, null, 'tea of nobody');
  const prefix = threadsOf('dana');
  expect((await find({ agent: 'support', prefix })).sort()).toEqual([
    'tea on a trip',
    'tea without a thread',
  ]);
  expect((await find({ prefix })).length).toBe(3);
  expect(await find({ agent: 'support', thread: `${prefix}trip` })).toEqual(['tea on a trip']);
  expect(await find({ agent: 'support', prefix, except: `${prefix}trip` })).toEqual(['tea without a thread']);
  expect(await find({ agent: 'support', prefix: threadsOf(null) })).toEqual(['tea of nobody in a thread']);
  expect(await find({ agent: 'support', thread: 'support' })).toEqual(['tea of nobody']);
  expect((await find({})).length).toBe(6);
});

it('puts a short message that has the rarer word first', async () => {
  const { say, find } = await opened();
  for (let i = 0; i < 5; i++) await say('dana', 't', `tea again ${i}`);
  await say('dana', 't', `quokka ${'and other things '.repeat(30)}`);
  await say('dana', 't', 'quokka');
  const found = await find({ agent: 'support', prefix: threadsOf('dana') }, ['tea', 'quokka']);
  expect([found[0], found.length]).toEqual(['quokka', 7]);
});

it('does not find what was deleted or edited away', async () => {
  const { storage, say, find } = await opened();
  const [one, two] = [await say('dana', 't', 'tea one'), await say('dana', 't', 'tea two')];
  await say('dana', 't', 'tea three');
  await storage.log.retract([one.id]);
  await storage.log.edit([{ id: two.id, content: 'milk', text: 'milk', at: START + 1 }]);
  expect(await find({ agent: 'support', prefix: threadsOf('dana') })).toEqual(['tea three']);
  expect(await find({ agent: 'support', prefix: threadsOf('dana') }, ['milk'])).toEqual(['milk']);
});

it('finds messages that an older Keepsake indexed, before and after they are indexed again', async () => {
  const { file, storage, say, find } = await opened();
  const { seq } = await say('dana', 'old', 'tea of old');
  await say('erik', 'old', 'tea of erik');
  const database = new SqliteDatabase(file);
  database.prepare('DELETE FROM messages_text WHERE rowid = ?').run(seq);
  database
    .prepare('INSERT INTO messages_text (rowid, body, silo) VALUES (?, ?, ?)')
    .run(seq, 'tea of old', siloToken('support'));
  await say('dana', 'new', 'tea of today');
  const search = async () => (await find({ agent: 'support', prefix: threadsOf('dana') })).sort();
  expect(await search()).toEqual(['tea of old', 'tea of today']);
  await storage.maintenance.reindex({});
  expect(await search()).toEqual(['tea of old', 'tea of today']);
  const marked = database.prepare('SELECT count(*) FROM messages_text WHERE messages_text MATCH ?').pluck();
  expect(marked.get(`silo : "${siloToken(`#${threadsOf('dana')}`)}"`)).toBe(2);
  database.close();
});
