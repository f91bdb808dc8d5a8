/** What Zep, Letta and LangGraph hand out, in the shapes of their published files and answers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ForeignReport } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

function setting() {
  const workspace = testWorkspace();
  const client = workspace.open();
  const agent = client.agent({ name: 'sam', user: 'dana' });
  const path = join(workspace.folder, 'given.json');
  const take = (value: unknown) => {
    writeFileSync(path, JSON.stringify(value));
    return client.import(path, { agent: 'sam', user: 'dana' }) as Promise<ForeignReport>;
  };
  const contents = async () => (await agent.memory.list()).map(({ content }) => content).sort();
  return { client, agent, take, contents };
}

const edge = (uuid: string, fact: string, more = {}) => ({
  ...{ uuid, fact, name: 'WORKS_AT', source_node_uuid: 'n1', target_node_uuid: 'n2', episodes: [] },
  ...{
    created_at: '2026-01-02T00:00:00Z',
    valid_at: '2025-06-01T00:00:00Z',
    invalid_at: null,
    expired_at: null,
  },
  ...more,
});

const ZEP = {
  edges: [
    edge('e1', 'Dana works at Acme'),
    edge('e2', 'Dana lived in Ulm', { invalid_at: '2025-01-01T00:00:00Z' }),
  ],
  nodes: [{ uuid: 'n1', name: 'Dana', labels: ['Entity'], summary: 'Dana is a designer.' }],
  threads: [
    {
      thread_id: 't-1',
      messages: [
        {
          uuid: 'm1',
          role: 'user',
          name: 'Dana',
          content: 'My bike is red.',
          created_at: '2025-06-02T00:00:00Z',
        },
        { uuid: 'm2', role: 'assistant', content: 'Nice colour.', created_at: '2025-06-02T00:00:05Z' },
      ],
    },
  ],
};

it('Zep: edges that still hold, what is known of a node, and threads', async () => {
  const { agent, take, contents } = setting();
  expect(await take(ZEP)).toMatchObject({
    ...{
      from: 'zep',
      user: 'dana',
      skipped: 1,
      facts: { added: 2 },
      threads: { added: 1 },
      messages: { added: 2 },
    },
  });
  expect(await contents()).toEqual(['Dana is a designer.', 'Dana works at Acme']);
  const [fact] = await agent.memory.search('works at Acme');
  expect(fact).toMatchObject({
    tags: ['works at'],
    validFrom: Date.parse('2025-06-01T00:00:00Z'),
    user: 'dana',
  });
  expect((await agent.memory.recall('What colour is my bike?')).earlier).toMatchObject([
    { thread: 'zep/t-1' },
  ]);
  expect(await take(ZEP)).toMatchObject({ facts: { added: 0, known: 2 }, messages: { added: 0, known: 2 } });
  expect(await take(ZEP.edges)).toMatchObject({ from: 'zep', facts: { known: 1 }, skipped: 1 });
  expect(await take({ ...ZEP.threads[0], row_count: 2 })).toMatchObject({
    from: 'zep',
    threads: { known: 1 },
  });
});

const says = (text: string) => [{ type: 'text', text }];
const LETTA = {
  agents: [
    {
      ...{ name: 'Sam', id: 'agent-0', block_ids: ['block-0', 'block-1'], memory_blocks: [] },
      messages: [
        { type: 'message', role: 'system', content: says('You are Sam.'), id: 'message-0' },
        {
          ...{ type: 'message', role: 'user', id: 'message-1', created_at: '2026-01-22T02:06:34+00:00' },
          content: says(JSON.stringify({ type: 'user_message', message: 'My bike is red.', time: '02:06' })),
        },
        {
          type: 'message',
          role: 'user',
          content: says('{"type":"heartbeat","reason":"x"}'),
          id: 'message-2',
        },
        {
          ...{ type: 'message', role: 'assistant', content: says('I should answer.'), id: 'message-3' },
          tool_calls: [
            {
              id: 'c',
              type: 'function',
              function: { name: 'send_message', arguments: '{"message":"Nice colour."}' },
            },
          ],
        },
      ],
    },
  ],
  blocks: [
    { id: 'block-0', label: 'human', value: '## Person\n\nFirst name: Dana\nAge: ?\n\nLikes oolong tea.' },
    { id: 'block-1', label: 'persona', value: 'I am Sam.' },
  ],
  ...{ groups: [], files: [], sources: [], tools: [], mcp_servers: [], metadata: {} },
  created_at: '2026-01-22T02:06:35+00:00',
};

it('Letta: blocks of an agent file without empty fields, and what was said without what was thought', async () => {
  const { agent, take, contents } = setting();
  expect(await take(LETTA)).toMatchObject({
    from: 'letta',
    facts: { added: 2 },
    messages: { added: 2 },
    skipped: 3,
  });
  expect(await contents()).toEqual(['## Person\nFirst name: Dana', 'Likes oolong tea.']);
  const [thread] = await agent.log.list();
  expect(thread).toMatchObject({ thread: 'letta/Sam#agent-0', archivedAt: expect.any(Number) });
  const said = await agent.conversation(thread!.thread!).log.get();
  expect(said.map(({ content }) => content)).toEqual(['My bike is red.', 'Nice colour.']);
  expect(await take(LETTA)).toMatchObject({ facts: { added: 0 }, messages: { added: 0, known: 2 } });
  expect(await take(JSON.stringify(LETTA))).toMatchObject({ from: 'letta', facts: { known: 2 } });
  const old = {
    agent_type: 'memgpt_agent',
    name: 'Sam',
    core_memory: LETTA.blocks,
    messages: LETTA.agents[0]!.messages,
  };
  expect(await take(old)).toMatchObject({ from: 'letta', facts: { added: 0, known: 2 } });
});

const item = (key: string, value: object) => ({
  ...{ namespace: ['dana', 'memories'], key, value, created_at: '2025-06-01T00:00:00Z', updated_at: null },
});
const state = (...messages: object[]) => ({
  ...{ values: { messages }, next: [], checkpoint: { thread_id: 't-1', checkpoint_ns: '' } },
  created_at: '2025-06-02T00:00:00Z',
});
const human = { type: 'human', id: 'm1', content: 'My bike is red.' };
const ai = { type: 'ai', id: 'm2', content: [{ type: 'text', text: 'Nice colour.' }], tool_calls: [] };

it('LangGraph: items of a store, and the state or the history of a thread', async () => {
  const { agent, take, contents } = setting();
  const items = [
    item('1', { kind: 'Memory', content: { content: 'Dana likes oolong.' } }),
    item('2', { favourite_food: 'pizza', languages: ['French', 'Dutch'] }),
    item('3', {}),
  ];
  expect(await take({ items })).toMatchObject({ from: 'langgraph', facts: { added: 2 }, skipped: 1 });
  expect(await contents()).toEqual(['Dana likes oolong.', 'favourite food: pizza; languages: French, Dutch']);
  expect(await take(items)).toMatchObject({ facts: { added: 0, known: 2 } });

  expect(await take([state(human, ai), state(human)])).toMatchObject({
    threads: { added: 1 },
    messages: { added: 2 },
  });
  const lc = (kind: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', kind],
    kwargs,
  });
  const serialised = state(
    lc('HumanMessage', { id: 'm1', content: 'My bike is red.' }),
    lc('AIMessage', { id: 'm2', content: 'Nice colour.' }),
  );
  expect(await take(serialised)).toMatchObject({ from: 'langgraph', messages: { added: 0, known: 2 } });
  const said = await agent.conversation('langgraph/t-1').log.get();
  expect(said.map(({ role, content }) => [role, content])).toEqual([
    ['User', 'My bike is red.'],
    ['sam', 'Nice colour.'],
  ]);
});

it('what is imported for one user is nobody else’s, and counts against the limit of that user only', async () => {
  const { client, agent, take } = setting();
  await client.agent({ name: 'sam' }).memory.add({ content: 'Dana works at Acme' });
  await take(ZEP);
  expect(await agent.memory.list({ limit: 100 })).toHaveLength(3);
  const erik = client.agent({ name: 'sam', user: 'erik' });
  expect((await erik.memory.list()).map(({ content }) => content)).toEqual(['Dana works at Acme']);
  expect(await erik.log.list()).toEqual([]);
  expect(await client.erase({ user: 'dana' })).toMatchObject([{ found: { records: 2, messages: 2 } }]);
});
