/** Why an agent answered as it did: the receipts of a session, one for each time that its model was asked. */
import { z } from 'zod';
import { type Receipt, renderReceipt } from '../context/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventOf } from '../kernel/events.ts';
import { validate } from '../kernel/validate.ts';
import type { EventStore } from '../ports/event-store.ts';
import { defineOperation } from './operation.ts';

export type { Receipt };
export { renderReceipt };

const PAGE = 1_000;

const input = z.strictObject({
  session: z.string().min(1).optional().describe('Id of the session; the last one if not given.'),
  agent: z.string().min(1).optional().describe('Only sessions of this agent.'),
});

export interface ReceiptOf {
  readonly seq: number;
  /** How often the model had been asked for this prompt, with this time. */
  readonly loop: number;
  readonly receipt: Receipt;
}

export interface SessionReceipts {
  readonly session: string;
  readonly agent: string | null;
  readonly receipts: readonly ReceiptOf[];
}

/** From the oldest on, since that is the way in which events are read; only those of one session are kept. */
async function collect(events: EventStore, session: string | undefined, agent: string | undefined) {
  let kept: EventOf<'session.receipt'>[] = [];
  for (let after = 0; ; ) {
    const page = await events.read({
      after,
      types: ['session.receipt'],
      limit: PAGE,
      ...(agent === undefined ? {} : { agent }),
    });
    for (const event of page as readonly EventOf<'session.receipt'>[]) {
      if (session === undefined && event.session !== kept[0]?.session) kept = [];
      if (session === undefined || event.session === session) kept.push(event);
    }
    if (page.length < PAGE) return kept;
    after = page.at(-1)!.seq;
  }
}

export const sessionWhy = defineOperation({
  name: 'session.why',
  summary: 'Shows what entered the prompts of a session, and why.',
  description:
    'Shows the receipts of a session: which memories entered each prompt and why, how much room every part took, and what was left out.',
  effect: 'read',
  input,
  run: async ({ storage }, given, { viewer }): Promise<SessionReceipts> => {
    const { session, agent: named } = validate(input, given, 'session.why');
    // An agent sees its own receipts only.
    const agent = viewer.role === 'admin' ? named : (viewer.agent ?? '');
    const found = await collect(storage.events, session, agent);
    const [first] = found;
    if (first === undefined) {
      const whose = agent === undefined ? '' : ` of ${agent}`;
      throw new KeepsakeError(
        'NOT_FOUND',
        session === undefined
          ? `No session${whose} has a receipt yet.`
          : `There is no receipt of session ${session}.`,
        { hint: 'Run an agent first, with "keepsake run <agent>"; with --json it names its session.' },
      );
    }
    return {
      session: first.session!,
      agent: first.agent ?? null,
      receipts: found.map(({ seq, loop, receipt }) => ({
        seq,
        loop,
        receipt: receipt as unknown as Receipt,
      })),
    };
  },
});
