/** Whatever a model, its tools and its server do: every request obeys the rules on which providers insist. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AgentOptions, createClient, defineTool } from '../../src/index.ts';
import type { ChatMessage, ChatPart } from '../../src/ports/language-model.ts';
import { type ScriptedReply, type ScriptedRequest, scriptedModel } from '../../src/testing/index.ts';
import { campaign } from '../fixtures/campaign.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const seed = Number(process.env.KEEPSAKE_SEED ?? Date.now() % 2 ** 31);
console.log(`provider rules: KEEPSAKE_SEED=${seed}`);

const SUMMARY = `They spoke of many things and decided a few of them. ${'It is all in the archive. '.repeat(3)}`;
const WINDOW = 3_000;

const tool = (name: string, run: () => string) =>
  defineTool({ name, description: name, input: z.looseObject({}), run: async () => run() });
const TOOLS = [
  tool('short', () => 'ok'),
  tool('long', () => 'row of data '.repeat(1_500)),
  tool('broken', () => {
    throw new Error('It is broken.');
  }),
];

const words = fc.integer({ min: 0, max: 300 }).map((count) => `Listen. ${'word '.repeat(count)}`.trim());
const step: fc.Arbitrary<ScriptedReply> = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => ({ text })) },
  {
    weight: 4,
    arbitrary: fc.record({
      text: fc.constantFrom('', '\n', 'Let me look.'),
      toolCalls: fc.array(
        fc.constantFrom('short', 'long', 'broken', 'unknown').map((name) => ({ name, arguments: {} })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ status: 400, message: 'no' }, { status: 500 }, { text: '' }) },
  { weight: 1, arbitrary: fc.constant({ text: ['half', ' an answer'], cutAfter: 1 }) },
);

/** One process of the agent. */
const life = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  prompts: fc.array(words, { minLength: 1, maxLength: 4 }),
  policy: fc.constantFrom('compactAll' as const, 'summarizeOlder' as const),
  summarises: fc.boolean(),
  options: fc.record({
    history: fc.constantFrom('low' as const, 'medium' as const, 'preamble' as const),
    persistentMemory: fc.boolean(),
    rules: fc.constantFrom('Be kind.', undefined),
    maxLoops: fc.constantFrom(2, 5),
  }),
});

const partsOf = ({ content }: ChatMessage): readonly ChatPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** What the server of a provider would refuse. */
function violations({ messages, format }: ScriptedRequest): string[] {
  const found: string[] = [];
  const chat = messages.filter(({ role }) => role !== 'system');
  if (messages.slice(messages.length - chat.length).some(({ role }) => role === 'system'))
    found.push('a system message between the turns');
  if (chat[0]?.role !== 'user') found.push(`the first turn is of ${chat[0]?.role}`);
  if (chat.at(-1)?.role === 'assistant') found.push('the last turn is of the assistant');
  let open = new Set<string>();
  for (const [i, message] of chat.entries()) {
    const before = chat[i - 1]?.role;
    if (message.role === before && message.role !== 'tool') found.push(`two turns of ${before} in a row`);
    if (message.role !== 'tool' && open.size > 0) found.push('a call without a result');
    for (const part of partsOf(message)) {
      if (
        part.type === 'text' &&
        part.text.trim() === '' &&
        (format === 'anthropic' || message.role === 'user')
      )
        found.push('a blank text');
      if (part.type === 'toolResult' && !open.delete(part.id)) found.push('a result without a call');
    }
    const calls = partsOf(message).flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    if (calls.length > 0) open = new Set(calls);
  }
  if (open.size > 0) found.push('a call without a result');
  return found;
}

it.each(['compatible/gemma-3', 'anthropic/claude-sonnet-4-0'])(
  'C-05 A-42 A-46 %s is asked in a way that it accepts, through failures, compactions and restarts',
  async (id) => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        const { folder, remove } = makeFolder();
        let steps: ScriptedReply[] = [];
        let summarises = true;
        await using server = await scriptedModel(({ messages }) => {
          if (JSON.stringify(messages[0]).includes('condense')) return summarises ? SUMMARY : { status: 500 };
          return steps.shift() ?? 'Done.';
        });
        try {
          for (const one of lives) {
            ({ summarises } = one);
            steps = [...one.steps];
            const compression = { contextLength: WINDOW, policy: one.policy };
            await using client = createClient({ workspace: folder, config: { compression } });
            const model = server.model(id, { retries: 0 });
            const options = { ...one.options, name: 'alice', model, tools: TOOLS } as AgentOptions;
            const session = await client.agent(options).session();
            for (const prompt of one.prompts) await session.send(prompt).catch(() => {});
          }
          expect(server.requests.flatMap(violations)).toEqual([]);
        } finally {
          remove();
        }
      }),
      { seed, numRuns: campaign(12, 200) },
    );
  },
  600_000,
);
