/** Erasing reaches the runs of swarms: records, working memory and messages, in every engine; nothing in Redis names the subject. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/index.ts';
import { threadsOf } from '../../../src/kernel/threads.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { postgresForTests } from '../postgres/server.ts';
import { everythingIn } from './everything-in.ts';
import { type RedisServer, redisServer } from './server.ts';

const DANA = 'dana@erase.example';

let redis: RedisServer;
let places = 0;
beforeAll(async () => {
  redis = await redisServer(['--databases', '100']);
});
afterAll(() => redis.stop());

interface Place {
  readonly client: Client;
  /** What Redis holds, or nothing without one. */
  inRedis(): Promise<string>;
}

const ENGINES: Readonly<Record<string, () => Promise<Place>>> = {
  'SQLite alone': async () => ({ client: testWorkspace().open(), inRedis: async () => '' }),
  'SQLite and Redis': async () => {
    const url = `${redis.url}/${places++}`;
    const state = { driver: 'redis', url } as const;
    return {
      client: testWorkspace().open({ config: { storage: { state } } }),
      inRedis: () => everythingIn(url),
    };
  },
  'Postgres and Redis': async () => {
    const url = `${redis.url}/${places++}`;
    const state = { driver: 'redis', url } as const;
    const storage = { driver: 'postgres', url: (await postgresForTests()).url(), state } as const;
    return { client: testWorkspace().open({ config: { storage } }), inRedis: () => everythingIn(url) };
  },
};

/** A run that is over, with what its participants said in it. */
async function aRun(
  client: Client,
  task: string,
  said: unknown = 'It is quiet.',
  agents = ['scout', 'editor'],
) {
  const [worker, lead] = agents as [string, string];
  const swarm = client.swarm({ name: 'market', agents: [{ name: worker }], lead: { name: lead } });
  const run = await swarm.start({ task });
  await run.stateAs(worker).append('/findings', said as never);
  const publish = run.participation(worker, () => false).publish;
  await publish({ id: `msg_${run.id}`, seq: 1, role: worker, content: said, at: 1 } as never);
  return run;
}

const idsOf = async (client: Client) => (await client.runs.list()).map(({ id }) => id).toSorted();

describe.each(Object.entries(ENGINES))('on %s', (_, open) => {
  it('removes the runs that name a user, wherever they do, and no others', async () => {
    const { client, inRedis } = await open();
    const about = [
      await aRun(client, `Find out what ${DANA} needs.`),
      await aRun(client, 'Answer a customer.', { mail: { to: DANA } }),
      await aRun(client, 'Count.', { [DANA]: 1 }),
      await aRun(client, 'Look around.', ['no', `Ask (${DANA}).`]),
    ];
    const others = [
      await aRun(client, `Find out what x${DANA} needs.`),
      await aRun(client, 'Look around.', `${DANA}.org`),
      await aRun(client, 'Dana needs a printer.'),
    ];
    // A participant that served the user: what it said is in a conversation of the user, and in the run.
    const served = await aRun(client, 'Serve.');
    const { storage } = await client.open();
    const thread = `${threadsOf(DANA)}`;
    const message = { id: 'msg_served', agent: 'scout', thread, run: served.id, role: 'scout' };
    await storage.log.append([{ ...message, content: 'Hello', metadata: {}, at: 1, text: 'Hello' }]);
    for (const run of [...about, ...others, served]) await run.fail('Enough.');

    const [counted] = await client.erase({ user: DANA, dryRun: true });
    expect(counted!.found.runs).toBe(about.length + 1);
    const [done] = await client.erase({ user: DANA });
    expect(done!.receipt!.layers.runs).toMatchObject({
      erased: about.length + 1,
      sha256: expect.any(String),
    });
    expect(await idsOf(client)).toEqual(others.map(({ id }) => id).toSorted());
    const left = await inRedis();
    for (const { id } of [...about, served]) expect(left).not.toContain(id);
    expect(left.replaceAll(`x${DANA}`, '').replaceAll(`${DANA}.org`, '')).not.toContain(DANA);
    for (const run of others) expect(await client.runs.get(run.id)).toMatchObject({ id: run.id });
  });

  it('removes the runs that an agent took part in, with the word of the others in them', async () => {
    const { client, inRedis } = await open();
    const gone = await aRun(client, 'Look around.', 'It is quiet.', ['quokka-scout', 'editor']);
    const kept = await aRun(client, 'Look around.', 'The quokka-scout says so.');
    for (const run of [gone, kept]) await run.fail('Enough.');
    const [done] = await client.erase({ agent: 'quokka-scout' });
    expect(done!.receipt!.layers.runs!.erased).toBe(1);
    expect(await idsOf(client)).toEqual([kept.id]);
    expect(await inRedis()).not.toContain(gone.id);
    expect(await inRedis()).not.toContain('"quokka-scout"');
    const verified = await client.erase({ agent: 'quokka-scout', dryRun: true });
    expect(Object.values(verified[0]!.found).every((number) => number === 0)).toBe(true);
  });

  it('refuses while such a run goes on, before anything is removed', async () => {
    const { client } = await open();
    const agent = client.agent({ name: 'support', user: DANA });
    await agent.memory.add({ content: 'Likes tea.' });
    const run = await aRun(client, `Serve ${DANA}.`);
    await expect(client.erase({ user: DANA })).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining(`keepsake swarm cancel ${run.id}`),
    });
    expect(await agent.memory.list()).toHaveLength(1);
    await run.cancel();
    expect((await client.erase({ user: DANA }))[0]!.receipt!.layers).toMatchObject({
      runs: { erased: 1 },
      records: { erased: 1 },
    });
  });
});

it('takes an id that texts hold by chance for the user only where it stands alone', async () => {
  const client = testWorkspace().open();
  const chance = await aRun(client, 'Ask customer 7 about seven.', 'customer 7');
  const named = await aRun(client, 'Ask.', { customer: '7' });
  for (const run of [chance, named]) await run.fail('Enough.');
  await client.erase({ user: '7' });
  expect(await idsOf(client)).toEqual([chance.id]);
});
