/** Sessions and tools of the OpenAI Agents SDK, with its own runner and a scripted model. */
import {
  Agent,
  type AgentInputItem,
  isOpenAIResponsesCompactionAwareSession,
  isSessionHistoryRewriteAwareSession,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  type Session,
  Usage,
} from '@openai/agents-core';
import { describe, expect, it } from 'vitest';
import { KeepsakeSession, memoryTools } from '../../../src/adapters/openai-agents/index.ts';
import { PLACES } from '../support/places.ts';

const user = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text });
const answer = (text: string): AgentInputItem =>
  ({
    ...{ type: 'message', role: 'assistant', status: 'completed', id: `msg_${text}` },
    content: [{ type: 'output_text', text }],
  }) as AgentInputItem;

/** Answers in turn; a function call is a name with arguments. */
function scripted(steps: readonly (string | { name: string; args: object })[]) {
  const requests: ModelRequest[] = [];
  const model: Model = {
    async getResponse(request) {
      const step = steps[requests.length]!;
      requests.push(request);
      const output =
        typeof step === 'string'
          ? [answer(step)]
          : [
              {
                ...{ type: 'function_call', callId: `call_${requests.length}`, name: step.name },
                ...{ arguments: JSON.stringify(step.args), status: 'completed', id: `fc_${requests.length}` },
              },
            ];
      return { usage: new Usage(), output: output as never };
    },
    // biome-ignore lint/correctness/useYield: nothing of this test streams.
    async *getStreamedResponse() {
      throw new Error('not streamed');
    },
  };
  return {
    requests,
    runner: new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true }),
  };
}

describe.each(PLACES)('OpenAI Agents, $place', ({ place, open }) => {
  it(`[matrix] openai-agents · ${place === 'remote' ? 'remote' : 'threads'}: a run continues where another one stopped`, async () => {
    const client = await open();
    const { runner, requests } = scripted(['one', 'two']);
    const agent = new Agent({ name: 'support' });
    const session = () => new KeepsakeSession({ client, user: 'anna', thread: 'ticket 1' });
    await runner.run(agent, 'first question', { session: session() });
    await runner.run(agent, 'second question', { session: session() });
    expect(JSON.stringify(requests[1]!.input)).toMatch(/first question.*one.*second question/s);
    expect(await session().getItems()).toHaveLength(4);
    expect(await new KeepsakeSession({ client, user: 'ben', thread: 'ticket 1' }).getItems()).toEqual([]);
  });

  it(`[matrix] openai-agents · ${place === 'remote' ? 'remote' : 'tools'}: what one agent remembers, a later one recalls, for its user only`, async () => {
    const client = await open();
    const steps = [
      { name: 'remember', args: { content: 'Anna is a vegetarian.' } },
      'noted',
      { name: 'recall', args: { query: 'what does Anna eat' } },
      'found',
      { name: 'recall', args: { query: 'what does Anna eat' } },
      'nothing',
    ];
    const { runner, requests } = scripted(steps);
    const agentFor = (whom: string) => new Agent({ name: 'a', tools: memoryTools({ client, user: whom }) });
    for (const whom of ['anna', 'anna', 'ben']) await runner.run(agentFor(whom), 'hello');
    expect(JSON.stringify(requests[3]!.input)).toContain('Anna is a vegetarian.');
    expect(JSON.stringify(requests[5]!.input)).not.toContain('vegetarian');
  });

  it('does what the session of the SDK itself does, item for item', async () => {
    const bytes = { ...user('x'), providerData: { raw: new Uint8Array([0, 255]), $keepsake: 'bytes' } };
    const sessions = [new MemorySession(), new KeepsakeSession({ client: await open() })];
    const stories = await Promise.all(
      sessions.map(async (session) => {
        const told: unknown[] = [];
        const state = async () => told.push(await session.getItems());
        await session.addItems([user('1'), answer('2'), bytes as AgentInputItem]);
        await state();
        told.push(await session.getItems(2), await session.getItems(0), await session.getItems(-1));
        const append = { type: 'append_items' as const, items: [user('3')] };
        await session.applyHistoryTransaction({ operationId: 'a', transaction: append });
        await session.applyHistoryTransaction({ operationId: 'a', transaction: append });
        await state();
        const other = { type: 'append_items' as const, items: [user('other')] };
        told.push(await failure(session.applyHistoryTransaction({ operationId: 'a', transaction: other })));
        const suffix = (expected: string, next: string) => ({
          type: 'replace_suffix' as const,
          expectedSuffix: [user(expected)],
          replacement: [user(next)],
        });
        told.push(
          await failure(session.applyHistoryTransaction({ operationId: 'b', transaction: suffix('0', '9') })),
        );
        await session.applyHistoryTransaction({ operationId: 'b', transaction: suffix('3', '4') });
        await session.applyHistoryTransaction({ operationId: 'b', transaction: suffix('3', '4') });
        await state();
        told.push(await session.popItem());
        const call = { type: 'function_call', callId: 'c', name: 'f', status: 'completed' } as const;
        await session.addItems([{ ...call, arguments: '{}' }, user('5')]);
        await session.applyHistoryMutations({
          mutations: [
            { type: 'replace_function_call', callId: 'c', replacement: { ...call, arguments: '{"a":1}' } },
          ],
        });
        await state();
        await session.clearSession();
        await state();
        told.push(await session.popItem());
        return told;
      }),
    );
    expect(stories[1]).toEqual(stories[0]);
  });
});

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

it('loses nothing when many add and pop at once, and the runner knows what it can do', async () => {
  const client = await PLACES[0].open();
  const session = new KeepsakeSession({ client, thread: 't' });
  const checks = [
    isSessionHistoryRewriteAwareSession,
    isSessionHistoryTransactionAwareSession,
    isOpenAIResponsesCompactionAwareSession,
  ];
  expect(checks.map((check) => check(session as Session))).toEqual([true, true, true]);
  await Promise.all(Array.from({ length: 20 }, (_, i) => session.addItems([user(String(i))])));
  const popped = await Promise.all(Array.from({ length: 8 }, () => session.popItem()));
  const left = await session.getItems();
  const all = [...popped, ...left].map((item) => Number((item as { content: string }).content));
  expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

it('summarises the older part at a turn of the user, and never by nothing', async () => {
  const client = await PLACES[0].open();
  let summary = '  ';
  const compaction = { above: 6, keep: 3, summarize: async () => summary };
  const session = new KeepsakeSession({ client, thread: 't', compaction });
  const items = ['1', '2', '3', '4'].flatMap((text) => [user(text), answer(`a${text}`)]);
  await session.addItems(items);
  await session.runCompaction();
  expect(await session.getItems()).toEqual(items);
  summary = 'They counted.';
  await session.runCompaction();
  const [first, ...rest] = await session.getItems();
  expect(first).toMatchObject({ role: 'system', content: expect.stringContaining('They counted.') });
  expect(rest).toEqual(items.slice(4));
  await session.runCompaction();
  expect(await session.getItems()).toHaveLength(5);
});
