/** Who may do what with whose memory: every role, every scope, every verb; and how lessons are passed on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysCreate } from '../../../src/administration/keys.ts';
import type { AgentMemory, Role } from '../../../src/index.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { call, said, scene } from '../fixture.ts';

const CONTENT = 'The staging database is called heron.';

type Viewer = 'owner' | 'other worker' | 'lead' | 'stranger';
type Kind = 'private' | 'shared' | "a lead's lesson";
type Verb = 'search' | 'list' | 'get' | 'history' | 'export' | 'update' | 'promote' | 'delete';

const VIEWERS: Readonly<Record<Viewer, { name: string; role: Exclude<Role, 'admin'> }>> = {
  owner: { name: 'alice', role: 'worker' },
  'other worker': { name: 'bob', role: 'worker' },
  lead: { name: 'chief', role: 'lead' },
  stranger: { name: 'visitor', role: 'reader' },
};

/** All that an identity may take with it: every page, also of what has expired. */
async function everything(memory: AgentMemory) {
  const all = [];
  for (let after: string | undefined; ; after = all.at(-1)!.id) {
    const page = await memory.list({ state: 'any', limit: 2, ...(after === undefined ? {} : { after }) });
    all.push(...page);
    if (page.length < 2) return all;
  }
}

const DO: Readonly<Record<Verb, (memory: AgentMemory, id: string) => Promise<boolean>>> = {
  search: async (memory, id) =>
    (await memory.search('name of the staging database')).some((hit) => hit.id === id),
  list: async (memory, id) => (await memory.list()).some((record) => record.id === id),
  get: async (memory, id) => (await memory.get(id)).content === CONTENT,
  history: async (memory, id) => (await memory.history(id)).length > 0,
  export: async (memory, id) => (await everything(memory)).some((record) => record.id === id),
  update: async (memory, id) => (await memory.update(id, { confidence: 0.5 })).outcome === 'updated',
  promote: async (memory, id) => (await memory.promote(id)).scope === 'swarm',
  delete: async (memory, id) => (await memory.forget(id)).id === id,
};

const READING: readonly Verb[] = ['search', 'list', 'get', 'history', 'export'];
const ALL = Object.keys(DO) as Verb[];
const NOTHING: readonly Verb[] = [];

/** What each may do; everything else is refused. */
const MATRIX: Readonly<Record<Kind, Readonly<Record<Viewer, readonly Verb[]>>>> = {
  private: { owner: ALL, 'other worker': NOTHING, lead: NOTHING, stranger: NOTHING },
  shared: { owner: ALL, 'other worker': READING, lead: ALL, stranger: READING },
  "a lead's lesson": { owner: READING, 'other worker': READING, lead: ALL, stranger: READING },
};

describe.each(Object.keys(MATRIX) as Kind[])('E-10 E-11 E-20 E-30 %s memory', (kind) => {
  it.each(Object.keys(VIEWERS) as Viewer[])('%s', async (viewer) => {
    const client = testWorkspace().open();
    const memoryOf = (who: Viewer) => client.agent(VIEWERS[who]).memory;
    const author = memoryOf(kind === "a lead's lesson" ? 'lead' : 'owner');
    const scope = kind === 'private' ? 'agent' : 'swarm';
    const done: Verb[] = [];
    for (const verb of ALL) {
      const { id } = await author.add({ content: CONTENT, scope });
      // Others stand before and behind it.
      for (const other of ['A', 'B', 'C'])
        await memoryOf('lead').add({ content: `Note ${other} on ${verb}.`, scope: 'swarm' });
      const outcome = await DO[verb](memoryOf(viewer), id).catch((error: { code?: string }) => error.code);
      if (outcome === true) done.push(verb);
      else {
        // What may not be seen does not exist; what may be seen and not changed is forbidden.
        const refusal = kind === 'private' ? 'NOT_FOUND' : 'FORBIDDEN';
        expect([verb, outcome]).toEqual([
          verb,
          READING.includes(verb) && outcome === false ? false : refusal,
        ]);
      }
      await client.memory.forget(id).catch(() => {});
    }
    expect(done).toEqual(MATRIX[kind][viewer]);
  });
});

it('E-08 what a worker promotes is seen by all from then on, and a lead may take it away', async () => {
  const client = testWorkspace().open();
  const alice = client.agent({ name: 'alice' }).memory;
  const bob = client.agent({ name: 'bob' }).memory;
  const chief = client.agent({ name: 'chief', role: 'lead' }).memory;
  const { id } = await alice.add({ content: CONTENT, category: 'note' });
  expect(await bob.search('staging database')).toEqual([]);
  await alice.update(id, { scope: 'swarm' });
  expect(await bob.search('staging database')).toMatchObject([{ id, agent: 'alice' }]);
  await expect(bob.forget(id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await chief.forget(id);
  await expect(alice.update(id, { confidence: 1 })).rejects.toMatchObject({ code: 'FORGOTTEN' });
});

const enabled = { memory: { enabled: true, minMessagesToExtract: 100 }, packs: ['swarm'] } as const;
const lesson = (given: object) => call('inject-learning', { learning: CONTENT, ...given });

it('E-09 E-12 E-31 a lesson of the lead is shared by default, in one of four categories, and recalled next time', async () => {
  const { agent, server, client } = await scene([
    lesson({ category: 'codebase-knowledge' }),
    'Taught.',
    lesson({ category: 'gossip' }),
    'No.',
    'I know.',
  ]);
  const chief = agent({ ...enabled, name: 'chief', role: 'lead' });
  await chief.run('Teach.');
  await chief.run('Gossip.');
  expect(said(server.requests[3]).at(-1)).toMatch(/Invalid arguments.*mistake-pattern/);
  expect(await client.memory.list({ category: 'codebase-knowledge' })).toMatchObject([
    { agent: 'chief', scope: 'swarm', content: CONTENT, expiresAt: null },
  ]);
  await agent({ ...enabled, name: 'bob' }).run('Connect to the staging database.');
  expect(JSON.stringify(server.requests[4]!.messages)).toContain(CONTENT);
});

it('E-09 a lesson for one worker reaches that worker alone', async () => {
  const { agent, server, client } = await scene([lesson({ worker: 'bob' }), 'Taught.', 'I know.', 'Who?']);
  client.agent({ name: 'bob' });
  await agent({ ...enabled, name: 'chief', role: 'lead' }).run('Teach.');
  expect(await client.memory.list({ category: 'best-practice' })).toMatchObject([
    { agent: 'bob', scope: 'agent', metadata: { injectedBy: 'chief' } },
  ]);
  await agent({ ...enabled, name: 'bob' }).run('Connect to the staging database.');
  await agent({ ...enabled, name: 'alice' }).run('Connect to the staging database.');
  expect(JSON.stringify(server.requests[2]!.messages)).toContain(CONTENT);
  expect(JSON.stringify(server.requests[3]!.messages)).not.toContain(CONTENT);
});

it('E-30 E-31 only a lead teaches, also when a worker says it is one; no worker deletes a lesson', async () => {
  const { agent, server, client } = await scene([
    lesson({ role: 'lead', agent: 'chief' }),
    'No.',
    lesson({ worker: 'bob' }),
    'No.',
  ]);
  await agent({ ...enabled, name: 'alice' }).run('Teach.');
  await agent({ ...enabled, name: 'alice', role: 'reader' }).run('Teach one.');
  for (const request of [server.requests[1], server.requests[3]]) {
    expect(said(request).at(-1)).toContain('Only a lead passes lessons on');
  }
  expect((await client.memory.list()).filter(({ content }) => content === CONTENT)).toEqual([]);
});

it('E-09 a lesson for an unknown worker is refused, with the name that was meant', async () => {
  const { agent, server, client } = await scene([lesson({ worker: 'researcher-l' }), 'No.']);
  await client.agent({ name: 'researcher-1' }).memory.add({ content: 'Sources are in the wiki.' });
  const chief = agent({ ...enabled, name: 'chief', role: 'lead' });
  await chief.run('Teach.');
  expect(said(server.requests[1]).at(-1)).toMatch(
    /no agent "researcher-l"\..*Did you mean "researcher-1"\?/s,
  );
  await expect(chief.memory.teach({ learning: CONTENT, worker: 'zoe' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringContaining('researcher-1'),
  });
  // The lead is on the list once its task was stored, which happens after the answer.
  const names = (await client.agents.list()).map(({ name }) => name).filter((name) => name !== 'chief');
  expect(names).toEqual(['researcher-1']);
});

it('E-09 an agent is known by its file, its key, its swarm or its settings as well', async () => {
  const { folder, open } = testWorkspace();
  const client = open({ config: { agents: { configured: {} } } });
  mkdirSync(join(folder, 'agents'));
  writeFileSync(join(folder, 'agents/written.md'), '---\nname: written\n---\nAnswer.');
  await client
    .swarm({ name: 's', agents: [{ name: 'member' }], lead: { name: 'chief' } })
    .start({ task: 'Go.' });
  const { memory } = client.agent({ name: 'chief', role: 'lead' });
  await keysCreate({ name: 'k', role: 'worker', agent: 'keyed' }, { workspace: folder, clock: systemClock });
  for (const worker of ['configured', 'written', 'member', 'keyed']) {
    expect(await memory.teach({ learning: CONTENT, worker })).toMatchObject({ agent: worker });
  }
});

it('E-09 the lead is told what the cap of a worker pushes out', async () => {
  const { agent, server, client } = await scene([lesson({ worker: 'bob' }), 'Taught.'], {
    config: { memory: { maxEntries: 1 } },
  });
  const old = await client.agent({ name: 'bob' }).memory.add({ content: 'An old lesson.' });
  await agent({ ...enabled, name: 'chief', role: 'lead' }).run('Teach.');
  expect(said(server.requests[1]).at(-1)).toContain(`These left its search: ${old.id}.`);
});

it('E-09 the cap on facts never pushes out what was shared with the swarm by hand', async () => {
  const client = testWorkspace().open({ config: { memory: { maxEntries: 2 } } });
  const chief = client.agent({ name: 'chief', role: 'lead' }).memory;
  for (const number of [1, 2, 3, 4]) await chief.teach({ learning: `Lesson ${number}.` });
  for (const number of [1, 2, 3])
    await chief.add({ content: `Learned fact ${number}.`, source: 'extracted', scope: 'swarm' });
  const live = (await chief.list()).map(({ content }) => content).toSorted();
  expect(live).toEqual([
    ...['Learned fact 2.', 'Learned fact 3.'],
    ...['Lesson 1.', 'Lesson 2.', 'Lesson 3.', 'Lesson 4.'],
  ]);
  // What is no longer shared competes with the others again.
  const lesson = (await chief.list()).find(({ content }) => content === 'Lesson 1.')!;
  expect((await chief.update(lesson.id, { scope: 'agent' })).pruned).toHaveLength(1);
});
