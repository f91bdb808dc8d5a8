/** What MCP clients see of a search: the passage that answers, and how much more there is. */
import { expect, it } from 'vitest';
import { ALICE, openWorkspace, overStreams, textOf } from './support/connect.ts';

const LONG = `${'The meeting began late and nobody took notes. '.repeat(40)}The spare key of the boat is under the blue buoy. ${'Then everybody went home by train. '.repeat(40)}`;

async function connected(...contents: readonly string[]) {
  const { engine } = await openWorkspace();
  for (const content of contents) await engine.records.add({ content }, { viewer: ALICE, via: 'sdk' });
  return overStreams('newest', { engine, identity: ALICE, settings: { packs: ['facts', 'swarm'] } });
}

it.each(['recall', 'memory-search'])('%s shows the passage of a long memory that answers', async (name) => {
  const client = await connected(LONG, 'Lunch is at noon.');
  const answer = textOf(
    await client.callTool({ name, arguments: { query: 'Where is the spare key of the boat?' } }),
  );
  expect(answer).toContain('The spare key of the boat is under the blue buoy.');
  expect(answer).toContain('[…]');
  expect(answer.length).toBeLessThan(800);
});

it('recall shows a memory that is not long as it is', async () => {
  const text = `The spare key is under the buoy. ${'It is blue and old. '.repeat(40)}`.trim();
  const client = await connected(text);
  expect(textOf(await client.callTool({ name: 'recall', arguments: { query: 'spare key' } }))).toContain(
    text,
  );
});

it('memory-search says how many weaker matches it left out, and shows them on request', async () => {
  const client = await connected(
    'Lena is allergic to peanuts',
    'Lena plays the violin',
    'Paul is allergic to cats',
  );
  const ask = async (more: object) =>
    client.callTool({ name: 'memory-search', arguments: { query: 'What is Lena allergic to?', ...more } });
  const few = await ask({});
  const { memories, more } = few.structuredContent as { memories: object[]; more: number };
  expect(memories).toHaveLength(1);
  expect(more).toBeGreaterThan(0);
  expect(textOf(few)).toContain(`${more} more less likely to answer were left out; all: true shows them.`);
  const every = (await ask({ all: true })).structuredContent as { memories: object[]; more: number };
  expect(every.memories).toHaveLength(memories.length + more);
  expect(every.more).toBe(0);
});
