/** The verbs about prompts: memory as a text for one, and what entered those of a session. */
import { z } from 'zod';
import { defined } from '../kernel/defined.ts';
import { count, text } from '../kernel/schema-parts.ts';
import { defineVerb } from '../kernel/verb.ts';
import type { Storage } from '../ports/storage.ts';
import { type ContextParts, memoryContext as contextOf, noteContextUsed } from './memory-context.ts';
import { receipt } from './receipt-schema.ts';
import { sessionReceipts } from './session-receipts.ts';

export interface PromptServices extends ContextParts {}

export interface ReceiptServices {
  readonly storage: Storage;
}

export const memoryContext = defineVerb({
  name: 'memory.context',
  summary: 'Writes memory as a text for a prompt.',
  description:
    'Returns standing memory and, with a task, what is relevant to it, as one fenced text for the prompt of an agent that another program runs, with a receipt that explains it. Counts as an injection.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: z.strictObject({
    task: text.min(1).optional().describe('What the prompt is about. Default: only standing memory.'),
    only: z.literal('relevant').optional().describe('Leave out standing memory, which was shown before.'),
    maxChars: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Budget in characters. Default: memory.maxCharsInjected.'),
    session: text.min(1).max(128).optional().describe('Keeps the receipt under this id, for session.why.'),
  }),
  output: z.strictObject({
    text: text.describe('Empty when there is nothing to say.'),
    ids: z.array(text).describe('The memories in the text.'),
    characters: count,
    receipt,
  }),
  run: async (parts: ContextParts, input, caller) => {
    const { session = caller.session, ...query } = input;
    const asked = session === undefined ? caller : { ...caller, session };
    const context = await contextOf(parts, defined(query), asked);
    await noteContextUsed(parts, context, asked);
    const { text: shown, ids, characters, receipt: why } = context;
    return { text: shown, ids, characters, receipt: why };
  },
  sdk: { positionals: ['task'] },
  cli: {
    positionals: [{ key: 'task', kind: 'text', required: false }],
    examples: ['keepsake memory context "Open a pull request for the login fix" --agent my-agent'],
  },
});

export const sessionWhy = defineVerb({
  name: 'session.why',
  summary: 'Shows what entered the prompts of a session, and why.',
  description:
    'Shows the receipts of a session: which memories entered each prompt and why, how much room every part took, and what was left out.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    session: text.min(1).optional().describe('Id of the session. Default: the last one.'),
    agent: text.min(1).optional().describe('Only sessions of this agent.'),
    after: count.optional().describe('Only receipts after the event with this number.'),
    last: z.boolean().optional().describe('Only the receipt of the last prompt.'),
  }),
  output: z.strictObject({
    session: text,
    agent: text.nullable(),
    receipts: z.array(
      z.strictObject({
        seq: count,
        loop: count.describe('Which call of the model it was, from 1.'),
        receipt,
      }),
    ),
  }),
  run: ({ storage }: ReceiptServices, input, caller) => sessionReceipts(storage.events, input, caller),
  // `agent.why()` is the method: `session` is what agents and clients open.
  sdk: false,
  cli: {
    command: 'why',
    positionals: [{ key: 'session', kind: 'id' }],
    examples: [
      'keepsake why',
      'keepsake why --last',
      'keepsake why --agent assistant',
      'keepsake why ses_0192f0c1 --json',
    ],
  },
});
