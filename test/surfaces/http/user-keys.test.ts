/** `client.user()` through keys: what is about a person with every agent never becomes the memory of one agent. */
import { expect, it, onTestFinished } from 'vitest';
import { keysCreate } from '../../../src/administration/keys.ts';
import { createClient } from '../../../src/index.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

it('a key of an agent is refused, one of the user or of an admin stores for every agent', async () => {
  const { folder, clock, open } = testWorkspace();
  const local = open();
  const server = await serve(await local.open(), { port: 0, version: '0.0.0' });
  onTestFinished(() => server.stop());
  const make = async (more: object) =>
    (
      await keysCreate({ name: `k${Math.random()}`, ...more } as never, {
        workspace: folder,
        clock,
      })
    ).key;
  const through = (apiKey: string) => createClient({ url: server.url, apiKey });
  const bound = through(await make({ agent: 'support', user: 'dana' }));
  await expect(bound.user('dana').memory.add({ content: 'Lives in Ulm.' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    hint: expect.stringContaining('client.agent({ name: "support", user })'),
  });
  await expect(bound.user('dana').memory.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await bound
    .agent({ name: 'support', user: 'dana' })
    .memory.add({ content: 'Lives in Bonn.', scope: 'swarm' });

  const admin = through(await make({ role: 'admin' }));
  await admin.user('dana').memory.add({ content: 'Lives in Lisbon.' });
  expect((await local.user('dana').memory.list()).map(({ agent, content }) => [agent, content])).toEqual([
    ['', 'Lives in Lisbon.'],
    ['support', 'Lives in Bonn.'],
  ]);
  // What every agent may know reaches the bound key too.
  expect(await bound.agent({ name: 'support', user: 'dana' }).memory.list()).toHaveLength(2);
  await Promise.all([bound.close(), admin.close()]);
});
