/** The verbs about prompts: memory as a text for one, and what entered those of a session. */

import { defined } from '../kernel/defined.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import { count, jsonValue, text, time } from '../kernel/schema-parts.ts';
import { defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import type { Storage } from '../ports/storage.ts';
import { type ContextParts, memoryContext as contextOf, noteContextUsed } from './memory-context.ts';
import { type ProfileParts, profileOf } from './profile.ts';
import { PROFILE_SECTIONS } from './profile-section.ts';
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
    task: text.min(1).optional().describe('The task of the prompt. Default: only standing memory.'),
    only: z
      .literal('relevant')
      .optional()
      .describe('Leave out standing memory, because an earlier prompt contains it.'),
    maxChars: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Budget in characters. Default: memory.maxCharsInjected.'),
    threads: z
      .int()
      .min(0)
      .max(20)
      .default(0)
      .describe('Maximum number of exchanges from earlier threads to add, within the budget.'),
    session: text
      .min(1)
      .max(128)
      .optional()
      .describe('Stores the receipt under this session id, for session.why.'),
  }),
  output: z.strictObject({
    text: text.describe('Empty when no memory applies.'),
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

export const memoryProfile = defineVerb({
  name: 'memory.profile',
  summary: 'Shows what is known about a user.',
  description:
    'Returns what is known about a user as a short text in sections (who, preferences, projects, people), within a budget of characters, with the memories it was made from. Made from pinned, standing and recent memories without a language model; memories from web pages and tools are left out. For an agent without a user: memories that are not about a user.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    maxChars: z.int().min(1).max(100_000).default(1500).describe('Budget in characters.'),
  }),
  output: z.strictObject({
    text: text.describe('Empty when nothing is known.'),
    sections: z.array(
      z.strictObject({
        name: z.enum(PROFILE_SECTIONS),
        entries: z.array(z.strictObject({ id: text, text })),
      }),
    ),
    ids: z.array(text).describe('The memories that the text was made from.'),
    leftOut: count.describe('Memories about the user that did not fit into the budget.'),
  }),
  run: async (parts: ProfileParts, { maxChars }, caller) => {
    const { sections, ...profile } = await profileOf(parts, maxChars, caller);
    const entriesOf = (memories: readonly MemoryRecord[]) =>
      memories.map(({ id, content }) => ({ id, text: content }));
    return {
      ...profile,
      sections: sections.map(({ name, memories }) => ({ name, entries: entriesOf(memories) })),
    };
  },
  sdk: { type: 'ProfileOptions' },
  cli: {
    nothing: { text: '', sections: [], ids: [], leftOut: 0 },
    examples: [
      'keepsake memory profile --user "auth0|5f7c"',
      'keepsake memory profile --agent support --user dana --max-chars 800 --json',
    ],
  },
});

export const sessionWhy = defineVerb({
  name: 'session.why',
  summary: 'Shows what entered the prompts of a session, and why.',
  description:
    'Shows the receipts of a session: which memories each prompt contains and why, the size of every part, and what was left out.',
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
        loop: count.describe('Number of the model call, from 1.'),
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

const outcome = z.enum(['completed', 'failed', 'aborted']).nullable().describe('Null while it is running.');
const cost = z.number().nullable().describe('In dollars; null when the price is not known.');

export const sessionList = defineVerb({
  name: 'session.list',
  summary: 'Lists the sessions of agents, newest first.',
  description:
    'Lists the newest sessions that have receipts, with their first prompt, the estimated size of their prompts and their cost.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    agent: text.min(1).optional().describe('Only sessions of this agent.'),
    user: text.min(1).optional().describe('Only sessions of this user.'),
    limit: z.int().min(1).max(10_000).default(50).describe('Maximum number of sessions to return.'),
  }),
  output: z.strictObject({
    sessions: z.array(
      z.strictObject({
        session: text,
        agent: text.nullable(),
        user: text.nullable(),
        firstPrompt: text.nullable().describe('The first 300 characters; null if messages are not stored.'),
        firstAt: time,
        lastAt: time,
        firstSeq: count.describe('Sequence number of its first event.'),
        prompts: count,
        tokens: count.describe('Estimated tokens of all its prompts.'),
        cost,
        outcome,
      }),
    ),
    more: z.boolean().describe('Whether there are older sessions.'),
  }),
  run: async ({ storage }: ReceiptServices, input, caller) => {
    const { listSessions } = await import('./session-story.ts');
    return listSessions(storage, input, caller);
  },
  sdk: false,
  cli: false,
});

export const sessionGet = defineVerb({
  name: 'session.get',
  summary: 'Shows a session: prompts, memories, answers, tool calls and cost.',
  description:
    'Shows the messages of a session, and for each model call its receipt with the texts of the memories at that time. Does not count as an access.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    session: text.min(1).describe('Id of the session.'),
    after: count.optional().describe('Only entries after the event with this number.'),
  }),
  output: z.strictObject({
    session: text,
    agent: text.nullable(),
    user: text.nullable(),
    prompts: z.array(
      z.strictObject({
        calls: z
          .array(
            z.strictObject({
              seq: count,
              loop: count.describe('Number of the model call, from 1.'),
              at: time,
              receipt,
              texts: z
                .record(text, text)
                .describe('Texts of memories by id, as they were at that time; without erased ones.'),
            }),
          )
          .describe('The model calls for this prompt.'),
        messages: z
          .array(z.strictObject({ id: text, role: text, content: jsonValue, at: time }))
          .describe('The task, tool calls with their results, and the answer.'),
        outcome,
        inputTokens: count.nullable(),
        outputTokens: count.nullable(),
        cost,
      }),
    ),
  }),
  run: async ({ storage }: ReceiptServices, input, caller) => {
    const { getSession } = await import('./session-story.ts');
    return getSession(storage, input, caller);
  },
  sdk: false,
  cli: false,
});
