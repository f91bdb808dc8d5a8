/** A verb that a test defines is reachable, typed and documented on every surface, without touching any other file. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { packTools } from '../../src/client/memory-tools.ts';
import { defineVerb } from '../../src/kernel/verb.ts';
import type { RecordService } from '../../src/records/index.ts';
import { VERBS } from '../../src/verbs.ts';
import { testServer } from '../surfaces/http/support/test-server.ts';
import { overStreams } from '../surfaces/mcp/support/connect.ts';

const wordCount = z.strictObject({ words: z.int().describe('Words in all memories.') });

const countWords = defineVerb({
  name: 'memory.countWords',
  summary: 'Counts words.',
  description: 'Counts the words of all memories, or of one category.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({ category: z.string().optional().describe('Only this category.') }),
  output: wordCount,
  run: async ({ records }: { records: RecordService }, { category }, caller) => {
    const found = await records.list(category === undefined ? {} : { category }, caller);
    return { words: found.flatMap(({ content }) => content.split(' ')).length };
  },
  rest: [{ route: 'GET /v1/memory/words' }],
  tools: [
    {
      name: 'count_words',
      pack: 'facts',
      place: 9,
      title: 'Count words',
      input: z.object({ category: z.string().optional() }),
      output: wordCount,
      answer: ({ words }) => ({ structured: { words }, text: `${words} words.` }),
    },
  ],
});

const verbs = [...VERBS, countWords];

it('answers over REST, under its long and its short route, and is part of OpenAPI and the page', async () => {
  const { ask, ownerKey: key, client } = await testServer(undefined, undefined, verbs);
  await client.agent({ name: 'alice' }).memory.add({ content: 'Prefers green tea.', category: 'taste' });
  const headers = { 'keepsake-agent': 'alice' };
  const long = await ask('POST /v1/memory/count-words', { key, headers, body: { category: 'taste' } });
  expect([long.status, await long.json()]).toEqual([200, { words: 3 }]);
  const short = await ask('GET /v1/memory/words?category=other', { key, headers });
  expect([short.status, await short.json()]).toEqual([200, { words: 0 }]);
  const wrong = await ask('POST /v1/memory/count-words', { key, headers, body: { categry: 'x' } });
  expect(await wrong.json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  expect((await ask('POST /v1/memory/count-words', { headers, body: {} })).status).toBe(401);
  const { paths } = (await (await ask('GET /openapi.json')).json()) as { paths: Record<string, unknown> };
  expect(paths['/v1/memory/count-words']).toMatchObject({
    post: {
      description: countWords.description,
      'x-keepsake-role': 'reader',
      requestBody: { content: { 'application/json': { schema: { properties: { category: {} } } } } },
      responses: { '2XX': { content: { 'application/json': { schema: { required: ['words'] } } } } },
    },
  });
  expect(await (await ask('GET /docs')).text()).toContain('/v1/memory/count-words');
});

it('is a tool of MCP clients and of agents', async () => {
  const { client } = await testServer();
  const engine = await client.open();
  await client.agent({ name: 'alice' }).memory.add({ content: 'Prefers green tea.' });
  const identity = { agent: 'alice', role: 'worker' } as const;
  const mcp = await overStreams('newest', { engine, identity, settings: { verbs } });
  const { tools } = await mcp.listTools();
  expect(tools.find(({ name }) => name === 'count_words')).toMatchObject({
    description: countWords.description,
    annotations: { readOnlyHint: true },
    outputSchema: { required: ['words'] },
  });
  const result = await mcp.callTool({ name: 'count_words', arguments: {} });
  expect(result).toMatchObject({ structuredContent: { words: 3 }, content: [{ text: '3 words.' }] });
  const caller = { viewer: identity, via: 'tool' } as const;
  const tool = packTools('facts', { services: engine, caller, fullId: (id) => id, verbs }).find(
    ({ name }) => name === 'count_words',
  )!;
  const context = { agent: 'alice', session: 'ses_1', signal: new AbortController().signal };
  expect(await tool.run({} as never, context)).toBe('3 words.');
});
