/** The block "retention" of keepsake.jsonc: how long events, receipts, messages and refused writes are kept. */
import { z } from '../kernel/zod.ts';
import { durationOrNever } from './value-types.ts';

export const retention = z.strictObject({
  events: durationOrNever
    .describe('Events. Whatever the age, the stream keeps no more than the newest 100,000.')
    .prefault(null),
  receipts: durationOrNever
    .describe('Receipts of prompts, which are events and hold the most.')
    .prefault(null),
  messages: durationOrNever
    .describe(
      'Conversations in which nothing was said for so long: their messages keep their place in the log, without content. The conversation that MEMORY.md shows stays.',
    )
    .prefault(null),
  quarantine: durationOrNever
    .describe(
      'Refused writes, counted from the last time that one was tried, also those that wait for a decision.',
    )
    .prefault(null),
});
