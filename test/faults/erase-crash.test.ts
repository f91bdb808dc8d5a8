/** kill -9 at every step of an erasure: the same command finishes it, and nothing of the user is left in any file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testWorkspace } from '../fixtures/workspace.ts';
import { programOf } from './support/program.ts';

const WORD = 'quokkasecret';
const PREFIX = 'org/42/';
const STEPS = ['records.forgetMany', 'log.retract', 'items.erase', 'erasing.sweep', 'erasing.count'].flatMap(
  (method) => [`before ${method}`, `after ${method}`],
);

async function killedAt(step: string, workspace: string): Promise<void> {
  const program = programOf('erase-child', join(import.meta.dirname, 'support'));
  const child = spawn(process.execPath, [program, workspace, PREFIX, step], { stdio: 'inherit' });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

it('killed at any step, the same call again leaves nothing of the users and everything of others', async () => {
  const { folder, open, bytes } = testWorkspace();
  const filling = open();
  for (const user of [`${PREFIX}talker`, `${PREFIX}dana`, 'org/420/erik']) {
    const word = user.startsWith(PREFIX) ? WORD : 'wombat';
    const agent = filling.agent({ name: 'support', user });
    for (const thread of ['one', 'two']) {
      const { log } = agent.conversation(`${word} ${thread}`);
      await log.add('User', `${word} in a thread`);
      await log.archive();
    }
    if (user === `${PREFIX}talker`) continue;
    await agent.memory.add({ content: `Likes the ${word}` });
    await agent.items.write([{ op: 'put', namespace: ['notes'], key: 'animal', value: { word }, texts: [] }]);
  }
  await filling.close();

  for (const step of STEPS) await killedAt(step, folder);

  const client = open();
  const receipts = (await client.erase({ userPrefix: PREFIX })).map(({ receipt }) => receipt!);
  const erased = (layer: string): number =>
    receipts.reduce((sum, { layers }) => sum + layers[layer]!.erased, 0);
  expect({ records: erased('records'), messages: erased('messages') }).toEqual({ records: 1, messages: 4 });
  expect(await client.erase({ userPrefix: PREFIX })).toEqual([]);
  const erik = client.agent({ name: 'support', user: 'org/420/erik' });
  expect(await erik.memory.list()).toHaveLength(1);
  expect(await erik.log.list()).toMatchObject([
    { thread: 'wombat one', messages: 1, archivedAt: expect.any(Number) },
    { thread: 'wombat two', messages: 1, archivedAt: expect.any(Number) },
  ]);
  await client.close();
  expect(bytes()).not.toContain(WORD);
  expect(bytes()).not.toContain(PREFIX);
  // Receipts are kept; no note of an erasure that waits is.
  const kept = readdirSync(join(folder, 'data', 'erasures'));
  expect(kept.toSorted()).toEqual(receipts.map(({ id }) => `${id}.json`).toSorted());
});
