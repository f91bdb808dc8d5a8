/** The shared suite on both kinds of client, and what only one on a server has to say. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keysCreate } from '../../src/administration/keys.ts';
import { type Client, createClient } from '../../src/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { sharedMemorySuite } from './shared-memory-suite.ts';

async function start() {
  const workspace = testWorkspace();
  const engine = await workspace.open().open();
  const server = await serve(engine, { port: 0, version: '0.0.0' });
  const clients: Client[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });
  const connect = (apiKey?: string, url = server.url) => {
    const client = createClient({ url, ...(apiKey === undefined ? {} : { apiKey }) });
    clients.push(client);
    return client;
  };
  const ownerKey = readFileSync(server.serverKeyFile, 'utf8').trim();
  return { ...workspace, server, connect, ownerKey };
}

sharedMemorySuite('in this process', async () => testWorkspace().open());
sharedMemorySuite('over HTTP', async () => {
  const { connect, ownerKey } = await start();
  return connect(ownerKey);
});

describe('a client on a server', () => {
  it('is the agent of its key, and no other', async () => {
    const { connect, folder, clock } = await start();
    const target = { workspace: folder, clock };
    const { key } = await keysCreate({ name: 'alice', role: 'worker', agent: 'alice' }, target);
    const client = connect(key);
    const { id } = await client.agent({ name: 'alice' }).memory.add({ content: 'By key alone.' });
    expect(await client.memory.get(id)).toMatchObject({ agent: 'alice' });
    await expect(client.agent({ name: 'bob' }).memory.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // A role is asked for in vain: the key decides.
    const { key: readerKey } = await keysCreate({ name: 'r', role: 'reader', agent: 'alice' }, target);
    const reader = connect(readerKey).agent({ name: 'alice', role: 'lead' });
    expect(await reader.memory.list()).toHaveLength(1);
    await expect(reader.memory.add({ content: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('says how many weaker matches a search left out, as one in this process does', async () => {
    const { connect, ownerKey, open } = await start();
    const remote = connect(ownerKey).agent({ name: 'alice' }).memory;
    for (const content of ['The greenhouse door sticks.', 'The greenhouse is warm.', 'The door is red.']) {
      await remote.add({ content });
    }
    const { more } = await open().agent({ name: 'alice' }).memory.search('greenhouse door');
    expect(more).toBeGreaterThan(0);
    expect((await remote.search('greenhouse door')).more).toBe(more);
  });

  it('says what cannot be done from afar', async () => {
    const { connect, ownerKey } = await start();
    const client = connect(ownerKey);
    const agent = client.agent({ name: 'alice' });
    for (const call of [
      () => client.open(),
      () => agent.shortMemory,
      () => agent.run('x'),
      () => client.session(),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        hint: expect.stringContaining('workspace'),
      });
    }
  });

  it('says that its key is wrong, or that nobody is there', async () => {
    const { connect, server, ownerKey } = await start();
    await expect(connect().memory.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(connect('ksk_wrong').memory.list()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(/^The server at http:\S+ needs a valid apiKey\.$/),
      hint: expect.stringContaining('createClient({ url, apiKey })'),
    });
    await server.stop();
    await expect(connect(ownerKey).memory.list()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(server.url),
      retryable: true,
    });
  });

  it('reports a subscription that is refused', async () => {
    const { server } = await start();
    const refused = Promise.withResolvers<unknown>();
    const client = createClient({ url: server.url, apiKey: 'ksk_wrong', onListenerError: refused.resolve });
    client.events.subscribe(() => {});
    expect(await refused.promise).toMatchObject({ code: 'UNAUTHORIZED' });
    await client.close();
  });

  it.each([
    [{ apiKey: 'x' }, 'needs a url'],
    [{ url: 'http://127.0.0.1:1', workspace: '.' }, 'workspace'],
    [{ url: 'ftp://x' }, 'not the address'],
    [{ url: 'nonsense' }, 'not the address'],
  ])('checks its options: %j', (options, message) => {
    expect(() => createClient(options)).toThrow(message);
  });
});
