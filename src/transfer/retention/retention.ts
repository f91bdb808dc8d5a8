/** Removes data older than the configured ages: events, receipts, texts of inactive conversations, quarantine, audit trail. */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { type Clock, DAY } from '../../kernel/clock.ts';
import type { EventType } from '../../kernel/events.ts';
import { isOwnConversation, placeOfKey } from '../../kernel/threads.ts';
import type { Storage } from '../../ports/storage.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';

export interface RetentionServices {
  readonly storage: Storage;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  readonly config: Config;
}

/** What one layer had that was too old. */
export interface Expired {
  /** Milliseconds since 1970; null: this layer keeps everything. */
  readonly before: number | null;
  readonly removed: number;
}

export type RetentionLayer = 'events' | 'receipts' | 'messages' | 'quarantine' | 'audit';

/** Removed together; more would keep other writers waiting. */
const PAGE = 500;
const RECEIPT: EventType = 'session.receipt';
const AUDIT_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

export async function applyRetention(
  services: RetentionServices,
  dryRun: boolean,
): Promise<Record<RetentionLayer, Expired>> {
  const { clock, config } = services;
  const now = clock.now();
  const before = (age: number | null): number | null => (age === null ? null : now - age);
  const { events, receipts, messages, quarantine } = config.retention;
  const { auditDays } = config.server;
  const layer = async (limit: number | null, work: (limit: number) => Promise<number>): Promise<Expired> => ({
    before: limit,
    removed: limit === null ? 0 : await work(limit),
  });
  return {
    receipts: await layer(before(receipts), (limit) =>
      removeEvents(services, { limit, types: [RECEIPT] }, dryRun),
    ),
    events: await layer(before(events), (limit) =>
      removeEvents(services, { limit, receiptsBefore: before(receipts) ?? 0 }, dryRun),
    ),
    messages: await layer(before(messages), (limit) => emptyMessages(services, limit, dryRun)),
    quarantine: await layer(before(quarantine), (limit) => removeRefused(services, limit, dryRun)),
    audit: await layer(auditDays === 0 ? null : now - auditDays * DAY, (limit) =>
      removeAudit(services, limit, dryRun),
    ),
  };
}

interface OldEvents {
  readonly limit: number;
  readonly types?: readonly EventType[];
  /** Receipts that are older are counted as receipts. */
  readonly receiptsBefore?: number;
}

/** Events are in the order of their times but for the clocks of several machines: the first that is young enough ends it. */
async function removeEvents(
  { storage: { events } }: RetentionServices,
  { limit, types, receiptsBefore = 0 }: OldEvents,
  dryRun: boolean,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const page = await events.read({ after, limit: PAGE, ...(types === undefined ? {} : { types }) });
    const young = page.findIndex(({ at }) => at >= limit);
    const old = young === -1 ? page : page.slice(0, young);
    if (old.length > 0 && !dryRun) await events.remove(old.map(({ seq }) => seq));
    removed += old.filter(({ type, at }) => type !== RECEIPT || at >= receiptsBefore).length;
    if (old.length < PAGE) return removed;
    after = old.at(-1)!.seq;
  }
}

/** Conversations rest when nothing was said in them since: their messages keep their places in the log, without content. */
async function emptyMessages(
  { storage: { log }, paths, clock }: RetentionServices,
  limit: number,
  dryRun: boolean,
): Promise<number> {
  let emptied = 0;
  for (const { agent, thread, lastAt } of await log.threads()) {
    if (lastAt >= limit || isShownInFile(agent, thread, paths)) continue;
    for (let after = 0; ; ) {
      const page = await log.read({ agent, thread, after, limit: PAGE });
      const at = clock.now();
      if (page.length > 0 && !dryRun)
        await log.edit(page.map(({ id }) => ({ id, at, content: null, text: '' })));
      emptied += page.length;
      if (page.length < PAGE) break;
      after = page.at(-1)!.seq;
    }
  }
  return emptied;
}

/** MEMORY.md shows the agent's own conversation, and people edit it: what it shows stays. */
function isShownInFile(agent: string, thread: string, paths: WorkspacePaths): boolean {
  const place = placeOfKey(agent, thread);
  return place !== undefined && isOwnConversation(place) && existsSync(paths.memoryFile(agent));
}

async function removeRefused(
  { storage: { quarantine } }: RetentionServices,
  limit: number,
  dryRun: boolean,
): Promise<number> {
  let removed = 0;
  for (let after: string | undefined; ; ) {
    const page = await quarantine.list({
      ...{ states: ['waiting', 'released'], limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    const old = page.filter(({ lastAt }) => lastAt < limit);
    // The next page is found by the last entry of this one.
    after = page.findLast(({ lastAt }) => lastAt >= limit)?.id ?? (dryRun ? page.at(-1)?.id : after);
    if (!dryRun) for (const { id } of old) await quarantine.remove(id);
    removed += old.length;
    if (page.length < PAGE) return removed;
  }
}

/** A file holds one day; it goes when its whole day is too old. */
async function removeAudit({ paths }: RetentionServices, limit: number, dryRun: boolean): Promise<number> {
  const folder = join(paths.dataFolder, 'audit');
  const oldest = new Date(limit).toISOString().slice(0, 10);
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => (AUDIT_FILE.exec(name)?.[1] ?? oldest) < oldest);
  if (!dryRun) for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
