/** Swarms on a server: agents think in the client's process; run, state and messages are there, and guarded by roles. */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { keysCreate } from '../../../src/administration/keys.ts';
import { type Client, createClient, type Role } from '../../../src/index.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { call, said } from '../fixture.ts';
import { LEAD, type Part, swarmScene, TASK, WORKERS } from './fixture.ts';

const FIRST = 'Electrolysers at the coast use surplus hydropower.';
const MERGED = 'Norway will make hydrogen from hydropower.';

async function remoteScene(parts: Readonly<Record<string, Part>>) {
  const base = await swarmScene(parts);
  const server = await serve(await base.client.open(), { port: 0, version: '0.0.0' });
  const clients: Client[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });
  const connect = (apiKey: string): Client => {
    const client = createClient({ url: server.url, apiKey });
    clients.push(client);
    return client;
  };
  const owner = connect(readFileSync(server.serverKeyFile, 'utf8').trim());
  const as = async (role: Role, agent?: string): Promise<Client> => {
    const target = { workspace: base.folder, clock: base.clock };
    const named = agent === undefined ? {} : { agent };
    return connect((await keysCreate({ name: `${role} ${agent}`, role, ...named }, target)).key);
  };
  return { ...base, owner, as };
}

const PARTS: Readonly<Record<string, Part>> = {
  'researcher-1': (_, turn) =>
    turn === 1
      ? call('state_append', { path: '/findings', value: { source: 'iea.org', claim: FIRST } })
      : FIRST,
  'researcher-2': () => 'Pipelines are planned.',
  [LEAD]: () => MERGED,
};

it('C-07 C-13 C-23 agents here, state and messages there, the result remembered on the server', async () => {
  const { swarm, client, asked, as } = await remoteScene(PARTS);
  // A key that is bound to nobody speaks for any agent, with its own role at most.
  const far = await as('lead');
  const { run, output, result } = await swarm({}, far).run(TASK, { state: { audience: 'investors' } });
  expect(output).toBe(MERGED);
  expect(run).toMatchObject({ status: 'completed', result: result.id, usage: { calls: 4 } });
  expect(said(asked(LEAD)[0]).at(-1)).toContain(FIRST);
  // As the owner of the workspace sees it, at the server.
  const handle = await client.runs.get(run.id);
  expect((await handle.messages()).filter(({ agent }) => agent === 'researcher-1')).toHaveLength(4);
  const content = `Task of a swarm: ${TASK}\nResult: ${MERGED}`;
  expect(await client.memory.get(result.id)).toMatchObject({ content, agent: LEAD, scope: 'swarm' });
  await expect(handle.state.get()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const later = await swarm({}, far).run('What do we know of hydrogen from Norway?');
  expect(later.result.links).toEqual([result.id]);
});

it('a run is watched and cancelled from another client, and its sessions end', async () => {
  const { swarm, owner, as } = await remoteScene({
    'researcher-1': () => ({ hang: true }),
    'researcher-2': () => ({ hang: true }),
  });
  const far = await as('lead');
  const started = Promise.withResolvers<string>();
  const running = swarm({}, far).run(TASK, { onStart: ({ id }) => started.resolve(id) });
  const outcome = expect(running).rejects.toMatchObject({ code: 'ABORTED', message: 'Enough.' });
  const run = await owner.runs.get(await started.promise);
  const changes: string[] = [];
  const messages: string[] = [];
  const watching = Promise.all([
    (async () => {
      for await (const { by, op, path } of run.state.watch({ after: 1 })) changes.push(`${by} ${op} ${path}`);
    })(),
    (async () => {
      for await (const { agent, role } of run.watchMessages()) {
        messages.push(`${agent}/${role}`);
        if (messages.length === 2) await run.state.set('/seen', true);
      }
    })(),
  ]);
  while (!changes.includes('@program set /seen')) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await run.cancel('Enough.')).toBe(true);
  await Promise.all([outcome, watching]);
  expect(changes).toEqual([`${LEAD} merge `, '@program set /seen']);
  expect(messages.toSorted()).toEqual(['researcher-1/User', 'researcher-2/User']);
  expect(await owner.runs.list({ status: 'cancelled' })).toMatchObject([{ id: run.id, reason: 'Enough.' }]);
});

it('E-10 E-30 who is part of a run, and as what, decides what a key may do with it', async () => {
  const { swarm, client, as } = await remoteScene(PARTS);
  const { id } = await swarm().start({ task: TASK });
  const keys: Readonly<Record<string, Client>> = {
    lead: await as('lead', LEAD),
    worker: await as('worker', 'researcher-1'),
    reader: await as('reader', 'researcher-2'),
    'lead of another swarm': await as('lead', 'chief'),
    stranger: await as('worker', 'visitor'),
  };
  const verbs: Readonly<Record<string, (far: Client) => Promise<unknown>>> = {
    list: async (far) => {
      if ((await far.runs.list()).length === 0) throw { code: 'NOT_FOUND' };
    },
    get: (far) => far.runs.get(id),
    state: async (far) => (await far.runs.get(id)).state.get('/topic'),
    messages: async (far) => (await far.runs.get(id)).messages(),
    append: async (far) => (await far.runs.get(id)).state.append('/findings', 'x'),
    increment: async (far) => (await far.runs.get(id)).state.increment('/count'),
    cancel: async (far) => (await far.runs.get(id)).cancel(),
  };
  const allowed: Record<string, string[]> = {};
  const refusals = new Set<string>();
  // Those who may cancel come last.
  for (const [who, far] of Object.entries(keys).toReversed()) {
    allowed[who] = [];
    for (const [verb, act] of Object.entries(verbs)) {
      await act(far).then(
        () => allowed[who]!.push(verb),
        ({ code }: { code: string }) => refusals.add(`${who} ${verb} ${code}`),
      );
    }
  }
  const reading = ['list', 'get', 'state', 'messages'];
  expect(allowed).toEqual({
    lead: [...reading, 'append', 'increment', 'cancel'],
    worker: [...reading, 'append', 'increment'],
    reader: reading,
    'lead of another swarm': [],
    stranger: [],
  });
  expect([...refusals].filter((line) => /^(reader|worker)/.test(line)).toSorted()).toEqual([
    ...['reader append FORBIDDEN', 'reader cancel FORBIDDEN', 'reader increment FORBIDDEN'],
    'worker cancel FORBIDDEN',
  ]);
  // Whoever is no part of it learns not even that it exists.
  expect(
    [...refusals]
      .filter((line) => /^(stranger|lead of)/.test(line))
      .every((line) => line.endsWith('NOT_FOUND')),
  ).toBe(true);
  expect(await client.runs.list()).toMatchObject([{ status: 'cancelled' }]);
});

it('nobody but its lead starts a run, whatever a request says', async () => {
  const { swarm, as } = await remoteScene(PARTS);
  for (const far of [await as('worker', LEAD), await as('lead', 'chief')]) {
    await expect(swarm({}, far).start({ task: TASK })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  const run = await swarm({}, await as('lead', LEAD)).start({ task: TASK });
  // Its key speaks for the lead alone.
  await expect(run.stateAs(WORKERS[0]!).set('a', 1)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await run.state.set('a', 1);
  await run.complete();
});

it('E-08 E-09 E-12 E-31 lessons and promotion over HTTP obey the same roles', async () => {
  const { as, owner } = await remoteScene({});
  const [alice, bob, chief] = await Promise.all([
    as('worker', 'alice').then((far) => far.agent({ name: 'alice' }).memory),
    as('worker', 'bob').then((far) => far.agent({ name: 'bob' }).memory),
    as('lead', 'chief').then((far) => far.agent({ name: 'chief', role: 'lead' }).memory),
  ]);
  const { id } = await alice!.add({ content: 'The staging database is called heron.' });
  await expect(bob!.promote(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await alice!.promote(id);
  expect(await bob!.get(id)).toMatchObject({ scope: 'swarm', agent: 'alice' });
  const lesson = { learning: 'Never deploy on Fridays.', category: 'mistake-pattern' } as const;
  await expect(bob!.teach(lesson)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(chief!.teach({ ...lesson, category: 'gossip' as never })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  await chief!.teach(lesson);
  await chief!.teach({ learning: 'Ask Dana first.', worker: 'bob' });
  expect(await bob!.search('deploy on Fridays')).toMatchObject([{ agent: 'chief', scope: 'swarm' }]);
  expect(await owner.memory.list({ category: 'best-practice' })).toMatchObject([
    { agent: 'bob', scope: 'agent', metadata: { injectedBy: 'chief' } },
  ]);
});
