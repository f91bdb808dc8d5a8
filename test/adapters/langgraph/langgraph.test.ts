/** The LangGraph store and checkpointer with real graphs, in this process and through a server. */
import {
  Annotation,
  Command,
  END,
  InMemoryStore,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { KeepsakeSaver, KeepsakeStore } from '../../../src/adapters/langgraph/index.ts';
import { PLACES } from '../support/places.ts';

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

describe.each(PLACES)('LangGraph, $place', ({ place, open }) => {
  it(`[matrix] langgraph · ${place === 'remote' ? 'remote' : 'threads'}: a graph keeps its state by thread, forks, and is deleted`, async () => {
    const checkpointer = new KeepsakeSaver({ client: await open() });
    const graph = new StateGraph(State)
      .addNode('ask', () => ({ log: [`answer ${interrupt('Which?')}`] }))
      .addNode('end', () => ({ log: ['end'] }))
      .addEdge(START, 'ask')
      .addEdge('ask', 'end')
      .addEdge('end', END)
      .compile({ checkpointer });
    const config = { configurable: { thread_id: 'org/42|ünï' } };
    await graph.invoke({ log: ['start'] }, config);
    expect((await graph.getState(config)).next).toEqual(['ask']);
    // Another process goes on where this one stopped.
    const resumed = await graph.invoke(new Command({ resume: 'A' }), config);
    expect(resumed.log).toEqual(['start', 'answer A', 'end']);
    const states = [];
    for await (const state of graph.getStateHistory(config)) states.push(state);
    expect(states.map(({ next }) => next)).toEqual([[], ['end'], ['ask'], ['__start__']]);
    // A fork from the middle has the middle as its parent and leaves the rest as it was.
    const forked = await graph.updateState(states[1]!.config, { log: ['changed'] }, 'ask');
    const fork = await checkpointer.getTuple(forked);
    expect(fork?.parentConfig?.configurable?.checkpoint_id).toBe(
      states[1]!.config.configurable?.checkpoint_id,
    );
    expect((await graph.invoke(null, forked)).log).toEqual(['start', 'answer A', 'changed', 'end']);
    expect((await graph.getState({ configurable: { thread_id: 'other' } })).values).toEqual({});
    await checkpointer.deleteThread('org/42|ünï');
    expect(await checkpointer.getTuple(config)).toBeUndefined();
  });

  it(`[matrix] langgraph · ${place === 'remote' ? 'remote' : 'recall'}: a node writes to the store, and another finds it by meaning`, async () => {
    const store = new KeepsakeStore({ client: await open(), index: { fields: ['text'] } });
    const graph = new StateGraph(State)
      .addNode('learn', async (_, { store }: LangGraphRunnableConfig) => {
        await store!.put(['memories', 'u1'], 'food', { text: 'Anna never eats meat, only vegetables' });
        await store!.put(['memories', 'u1'], 'car', { text: 'The car is blue' });
        return {};
      })
      .addNode('recall', async (_, { store }: LangGraphRunnableConfig) => {
        const hits = await store!.search(['memories', 'u1'], { query: 'what does Anna eat', limit: 1 });
        return { log: hits.map(({ key, score }) => `${key} ${score! > 0}`) };
      })
      .addEdge(START, 'learn')
      .addEdge('learn', 'recall')
      .addEdge('recall', END)
      .compile({ store });
    expect((await graph.invoke({ log: [] })).log).toEqual(['food true']);
  });

  it('answers as the store of LangGraph itself does', async () => {
    const stores = [new InMemoryStore(), new KeepsakeStore({ client: await open() })];
    const answers = await Promise.all(
      stores.map(async (store) => {
        for (let i = 0; i < 230; i++) await store.put(['docs', `t${i % 3}`], `k${i}`, { i, text: 'same' });
        await store.put(['docs', 't0', 'deep'], 'x', { list: [1, { a: null }] }, false);
        await store.put(['docs', 't1'], 'k1', { i: -1, text: 'changed' });
        await store.delete(['docs', 't2'], 'k2');
        const found = await store.search(['docs'], { filter: { i: { $gte: 200 } }, limit: 50, offset: 5 });
        return {
          count: (await store.search(['docs'], { limit: 2_000 })).length,
          one: (await store.get(['docs', 't1'], 'k1'))?.value,
          deep: (await store.get(['docs', 't0', 'deep'], 'x'))?.value,
          gone: await store.get(['docs', 't2'], 'k2'),
          found: found.map(({ value }) => value.i as number).length,
          equal: (await store.search(['docs'], { filter: { text: 'changed' } })).map(({ key }) => key),
          namespaces: await store.listNamespaces({ prefix: ['docs'], suffix: ['*'], maxDepth: 2 }),
          suffix: await store.listNamespaces({ suffix: ['deep'] }),
        };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[1]!.count).toBe(230);
  });
});

it('[matrix] langgraph · users: each user has his own values, and a prefix of labels means all of them', async () => {
  const client = await PLACES[0].open();
  const store = new KeepsakeStore({ client, userOf: ([, user]) => user });
  await store.put(['memories', 'u1'], 'k', { text: 'first' });
  await store.put(['memories', 'u10'], 'k', { text: 'tenth' });
  expect((await store.search(['memories', 'u1'])).map(({ value }) => value.text)).toEqual(['first']);
  expect((await store.search(['memories'])).map(({ value }) => value.text)).toEqual(['first', 'tenth']);
  expect(await store.listNamespaces()).toEqual([
    ['memories', 'u1'],
    ['memories', 'u10'],
  ]);
  const { items } = client.agent({ name: 'assistant', user: 'u1' });
  expect(await items.list()).toMatchObject([{ user: 'u1', value: { text: 'first' } }]);
  expect(await client.agent({ name: 'assistant' }).items.list()).toEqual([]);
});
