/** The verbs that erase an agent or a user completely, check the receipt of it, and remove what is too old to be kept. */

import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import { count, maybeTime, text } from '../kernel/schema-parts.ts';
import { checkUserId } from '../kernel/users.ts';
import { defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import type { Erased } from '../ports/erasing.ts';
import type { EraseServices } from './erase/erase.ts';
import { eraseReceipt } from './erase/receipt.ts';

import type { RetentionServices } from './retention/retention.ts';

export type { EraseServices } from './erase/erase.ts';
export type { RetentionServices } from './retention/retention.ts';

const whose = {
  user: text.optional().describe('Everything about this user, with every agent.'),
  agent: text.optional().describe('Everything of this agent, with all of its users.'),
};
const layers = z.strictObject({
  records: count.describe('Memories, in any state, with all versions, words and vectors.'),
  messages: count.describe('Messages of conversations.'),
  events: count.describe('Events, receipts of prompts included.'),
  quarantined: count.describe('Refused writes.'),
  runs: count.describe('Runs of swarms, with their working memory and messages.'),
  marks: count.describe('Counters, boundaries of threads and idempotency keys.'),
  items: count.describe('Items that adapters of frameworks stored.'),
  files: count.describe('Files of the agent, and reviews that wait.'),
});

function subject({ user, agent }: { user?: string | undefined; agent?: string | undefined }): Erased {
  if (user !== undefined && agent === undefined) return { user: checkUserId(user) };
  if (agent !== undefined && user === undefined) return { agent: checkAgentName(agent) };
  throw new KeepsakeError('INVALID_INPUT', 'Name one subject to erase: a user or an agent.', {
    hint: 'For example { user: "dana@example.com" }, or { agent: "support" }.',
  });
}

export const eraseRun = defineVerb({
  name: 'erase.run',
  summary: 'Erases everything of a user or an agent.',
  description:
    'Erases everything about a user, or of an agent, in every layer, and returns a signed receipt. If it was interrupted, call it again: it continues where it stopped. With dryRun it only counts. Backups are named, and not changed. `remains` says where the database itself keeps old text: Postgres in pages, indexes and its write-ahead log, until compact rewrites the tables.',
  effect: 'write',
  role: 'admin',
  input: z.strictObject({
    ...whose,
    userPrefix: text
      .min(1)
      .optional()
      .describe('Every user whose id begins with this, such as those of one tenant.'),
    dryRun: z.boolean().default(false).describe('Only count, erase nothing.'),
    compact: z
      .boolean()
      .default(false)
      .describe(
        'Rewrite all tables afterwards, so that no page keeps old text: VACUUM FULL on Postgres, which locks one table after the other, and VACUUM on SQLite.',
      ),
  }),
  output: z.array(
    z.strictObject({
      found: layers,
      receipt: eraseReceipt.nullable().describe('Null in a dry run.'),
      remains: z
        .array(text)
        .describe('Where the database still keeps old text, and for how long. Empty in a dry run.'),
    }),
  ),
  run: async (services: EraseServices, { userPrefix, dryRun, compact, ...named }) => {
    const { eraseSubject, usersWith, whatIsLeft } = await import('./erase/erase.ts');
    const all =
      userPrefix === undefined
        ? [subject(named)]
        : (await usersWith(services, userPrefix)).map((user): Erased => ({ user }));
    const done = [];
    for (const each of all) {
      const found = await whatIsLeft(services, each);
      done.push({ found, receipt: dryRun ? null : await eraseSubject(services, each) });
    }
    if (dryRun) return done.map((one) => ({ ...one, remains: [] }));
    const compacted = compact ? await services.storage.maintenance.vacuum() : undefined;
    return done.map((one) => ({ ...one, remains: [...(compacted ?? one.receipt!).remains!] }));
  },
  sdk: false,
  cli: false,
});

export const eraseVerify = defineVerb({
  name: 'erase.verify',
  summary: 'Checks the receipt of an erasure.',
  description:
    'Checks that this workspace signed a receipt and that nobody changed it, and, when the user or the agent is named, that nothing of them is stored.',
  effect: 'read',
  role: 'admin',
  input: z.strictObject({ ...whose, receipt: z.looseObject({}).describe('The receipt, as it was given.') }),
  output: z.strictObject({ genuine: z.boolean(), left: layers.nullable(), verified: z.boolean() }),
  run: async (services: EraseServices, { receipt, ...named }) => {
    const { verifyErasure } = await import('./erase/erase.ts');
    const isNamed = Object.keys(defined(named)).length > 0;
    return verifyErasure(services, receipt, isNamed ? subject(named) : undefined);
  },
  sdk: false,
  cli: false,
});

const expired = (what: string) =>
  z.strictObject({
    before: maybeTime.describe('What is older goes; null: everything is kept.'),
    removed: count.describe(what),
  });

export const retentionApply = defineVerb({
  name: 'retention.apply',
  summary: 'Removes events, conversations, refused writes and audit files that are too old.',
  description:
    'Removes what is older than the ages in "retention" and server.auditDays: events, receipts of prompts, the texts of conversations that rest, refused writes and files of the audit trail. Memories are never touched: ttl decides about them. Nothing is removed where no age is set. With dryRun it only counts.',
  effect: 'destroy',
  role: 'admin',
  input: z.strictObject({ dryRun: z.boolean().default(false).describe('Only count what would be removed.') }),
  output: z.strictObject({
    dryRun: z.boolean(),
    events: expired('Events, without the receipts that are counted below.'),
    receipts: expired('Receipts of prompts.'),
    messages: expired('Messages whose content was removed; their places in the log stay.'),
    quarantine: expired('Refused writes.'),
    audit: expired('Files of the audit trail, one per day.'),
  }),
  run: async (services: RetentionServices, { dryRun }, { viewer }) => {
    if (viewer.role !== 'admin') {
      throw new KeepsakeError('FORBIDDEN', 'Only the owner of the workspace removes what is too old.', {
        hint: 'Use "keepsake retention", or a client without an agent.',
      });
    }
    const { applyRetention } = await import('./retention/retention.ts');
    return { dryRun, ...(await applyRetention(services, dryRun)) };
  },
  cli: {
    command: 'retention',
    without: ['agent'],
    examples: ['keepsake retention --dry-run', 'keepsake retention --json'],
  },
});
