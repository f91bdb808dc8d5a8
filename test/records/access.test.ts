/** Who may do what with whose memory, through the public client. */
import { describe, expect, it } from 'vitest';
import type { Client, Memory } from '../../src/index.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

const VIEWERS: Readonly<Record<string, (client: Client) => Memory>> = {
  owner: (client) => client.agent({ name: 'alice' }).memory,
  'other worker': (client) => client.agent({ name: 'bob' }).memory,
  lead: (client) => client.agent({ name: 'bob', role: 'lead' }).memory,
  reader: (client) => client.agent({ name: 'bob', role: 'reader' }).memory,
  'owner as reader': (client) => client.agent({ name: 'alice', role: 'reader' }).memory,
  admin: (client) => client.memory,
};

/** What each may do with a record of alice: read (r) and write (w). */
const RIGHTS: readonly [viewer: string, scope: 'agent' | 'swarm', rights: '' | 'r' | 'rw'][] = [
  ['owner', 'agent', 'rw'],
  ['owner', 'swarm', 'rw'],
  ['other worker', 'agent', ''],
  ['other worker', 'swarm', 'r'],
  ['lead', 'agent', ''],
  ['lead', 'swarm', 'rw'],
  ['reader', 'agent', ''],
  ['reader', 'swarm', 'r'],
  ['owner as reader', 'agent', 'r'],
  ['owner as reader', 'swarm', 'r'],
  ['admin', 'agent', 'rw'],
  ['admin', 'swarm', 'rw'],
];

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
}

describe('rights', () => {
  it.each(RIGHTS)('%s on a record of scope %s: %j', async (viewer, scope, rights) => {
    const { client, memory: owner } = testAgent();
    const { id } = await owner.add({ content: 'quokka one', scope });
    await owner.update(id, { content: 'quokka two' });
    const memory = VIEWERS[viewer]!(client);
    const read = rights.includes('r') ? 'ok' : 'NOT_FOUND';
    const write = rights.includes('w') ? 'ok' : rights.includes('r') ? 'FORBIDDEN' : 'NOT_FOUND';

    expect({
      search: (await memory.search('quokka')).map((hit) => hit.id),
      list: (await memory.list()).map((entry) => entry.id),
      get: await codeOf(memory.get(id)),
      history: await codeOf(memory.history(id)),
      update: await codeOf(memory.update(id, { content: 'quokka three' })),
      undo: await codeOf(memory.undo(id, { version: 1 })),
      forget: await codeOf(memory.forget(id)),
    }).toEqual({
      search: rights === '' ? [] : [id],
      list: rights === '' ? [] : [id],
      get: read,
      history: read,
      update: write,
      undo: write,
      forget: write,
    });
    expect((await owner.get(id)).state).toBe(rights === 'rw' ? 'forgotten' : 'live');
  });

  it('a reader may not add', async () => {
    const { client } = testAgent();
    const reader = client.agent({ name: 'alice', role: 'reader' }).memory;
    await expect(reader.add({ content: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('a hidden record cannot be told from one that does not exist', async () => {
    const { client, memory } = testAgent();
    const { id } = await memory.add({ content: 'quokka' });
    const bob = client.agent({ name: 'bob', role: 'lead' }).memory;
    const unknown = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    for (const verb of ['get', 'history', 'forget', 'undo'] as const) {
      const [hidden, missing] = await Promise.all(
        [id, unknown].map((target) =>
          bob[verb](target).catch((error: Error) => ({ ...error, m: error.message })),
        ),
      );
      expect(JSON.stringify(hidden).replaceAll(id, '')).toBe(JSON.stringify(missing).replaceAll(unknown, ''));
    }
  });

  it('a record that is shared and taken back follows its scope', async () => {
    const { client, memory } = testAgent();
    const bob = client.agent({ name: 'bob' }).memory;
    const { id } = await memory.add({ content: 'quokka' });
    await memory.update(id, { scope: 'swarm' });
    expect(await bob.search('quokka')).toHaveLength(1);
    await memory.update(id, { scope: 'agent' });
    expect(await bob.search('quokka')).toEqual([]);
    expect(await codeOf(bob.get(id))).toBe('NOT_FOUND');
    await memory.undo(id);
    expect(await codeOf(bob.get(id))).toBe('ok');
  });
});

describe('a record that was private before it was shared', () => {
  it('shows its private versions to its owner only, and nobody else brings one back', async () => {
    const client = testWorkspace().open();
    const owner = client.agent({ name: 'alice' }).memory;
    const { id } = await owner.add({ content: 'SECRET private draft' });
    await owner.update(id, { content: 'public', scope: 'swarm' });
    const seen = await client.agent({ name: 'bob' }).memory.history(id);
    expect(seen.map(({ content }) => content)).toEqual(['public']);
    expect(await owner.history(id)).toHaveLength(2);
    const lead = client.agent({ name: 'lea', role: 'lead' }).memory;
    await expect(lead.undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await owner.undo(id)).content).toBe('SECRET private draft');
  });
});
