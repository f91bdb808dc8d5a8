/** The verb that explains prompts. */
import { z } from 'zod';
import { count, text } from '../kernel/schema-parts.ts';
import { defineVerb } from '../kernel/verb.ts';
import type { Storage } from '../ports/storage.ts';
import { receipt } from './receipt-schema.ts';
import { sessionReceipts } from './session-receipts.ts';

export interface ReceiptServices {
  readonly storage: Storage;
}

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
