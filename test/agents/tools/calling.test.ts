/** Whatever goes wrong with a tool becomes an answer to the model, and the run goes on. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool, type ToolContext } from '../../../src/index.ts';
import type { ScriptedToolCall } from '../../../src/testing/index.ts';
import { calls, scene, textOf } from '../fixture.ts';

/** What the model is told after it called these tools in one step. */
async function answersTo(tools: readonly Tool[], ...given: ScriptedToolCall[]): Promise<string[]> {
  const { agent, server } = await scene([calls(...given), 'Done.']);
  expect(await agent({ tools, packs: [] }).run('Go.')).toBe('Done.');
  return server.requests[1]!.messages.filter(({ role }) => role === 'tool').map(textOf);
}

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string(), times: z.int().min(1).default(1) }),
  run: ({ text, times }) => text.repeat(times),
});

it('a tool that does not exist, and arguments that do not fit', async () => {
  const answers = await answersTo(
    [echo],
    { name: 'ecco', arguments: {} },
    { name: 'echo', arguments: { text: 5 } },
    { name: 'echo', arguments: '{"text": "bro' },
    { name: 'echo', arguments: [1] },
    { name: 'echo', arguments: { text: 'ok' } },
  );
  expect(answers).toEqual([
    'ecco → There is no tool "ecco". Available tools: echo.',
    expect.stringMatching(/^echo → Invalid arguments\. text: /),
    expect.stringMatching(/^echo → Invalid arguments\. arguments: /),
    expect.stringMatching(/^echo → Invalid arguments\. arguments: /),
    'echo → ok',
  ]);
});

it('tools that throw, in whatever way', async () => {
  const thrower = (name: string, thrown: unknown) =>
    defineTool({
      name,
      description: 'Throws.',
      input: z.object({}),
      run: () => {
        throw thrown;
      },
    });
  const rejecting = defineTool({
    name: 'rejecting',
    description: 'Rejects.',
    input: z.object({}),
    run: () => Promise.reject(new Error('later')),
  });
  const answers = await answersTo(
    [
      thrower('error', new Error('broken')),
      thrower('text', 'words'),
      thrower('nothing', undefined),
      rejecting,
    ],
    { name: 'error' },
    { name: 'text' },
    { name: 'nothing' },
    { name: 'rejecting' },
  );
  expect(answers).toEqual(['error → broken', 'text → words', 'nothing → undefined', 'rejecting → later']);
});

it('results of every kind become text', async () => {
  const giving = (name: string, value: unknown) =>
    defineTool({ name, description: 'Gives.', input: z.object({}), run: () => value });
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const tools = [
    giving('object', { a: [1] }),
    giving('nothing', undefined),
    giving('cycle', cycle),
    giving('half', 'a\ud800b'),
  ];
  const answers = await answersTo(
    tools,
    { name: 'object' },
    { name: 'nothing' },
    { name: 'cycle' },
    { name: 'half' },
  );
  expect(answers[0]).toBe('object → {\n "a": [\n  1\n ]\n}');
  expect(answers[1]).toBe('nothing → ');
  expect(answers[2]).toMatch(/^cycle → Converting circular structure/);
  expect(answers[3]).toBe('half → a\ufffdb');
});

it('a huge result is cut, between characters, and says so', async () => {
  const [answer] = await answersTo([echo], { name: 'echo', arguments: { text: 'a😀', times: 30_000 } });
  expect(answer!.length).toBeLessThan(60_200);
  expect(answer).toMatch(/… \(30000 more characters were left out; ask for less at a time\)$/);
  expect(answer!.isWellFormed()).toBe(true);
});

it('a tool knows whose hands it acts with', async () => {
  const contexts: ToolContext[] = [];
  const whoami = defineTool({
    name: 'whoami',
    description: 'Who am I?',
    input: z.object({}),
    run: (_, context) => {
      contexts.push(context);
      return 'you';
    },
  });
  await answersTo([whoami], { name: 'whoami' });
  expect(contexts[0]).toMatchObject({ agent: 'alice', session: expect.stringMatching(/^ses_/) });
  expect(contexts[0]!.signal).toBeInstanceOf(AbortSignal);
});

it('a tool of your own takes the place of a built-in one of the same name', async () => {
  const { agent, server } = await scene([calls({ name: 'more_context' }), 'Done.']);
  const own = defineTool({
    name: 'more_context',
    description: 'Mine.',
    input: z.object({}),
    run: () => 'mine',
  });
  await agent({ tools: [own] }).run('Go.');
  expect(server.requests[0]!.tools.filter(({ name }) => name === 'more_context')).toHaveLength(1);
  expect(textOf(server.requests[1]!.messages.at(-1)!)).toBe('more_context → mine');
});
