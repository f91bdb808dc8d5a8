/** The rows of the quarantine, which both SQL engines store alike, except for the list of reasons. */

import { identityOf, keptEntries, stateOf } from '../../guard/rules/quarantine.ts';
import type { Via } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Origin } from '../../kernel/record.ts';
import type { GuardedVerb, QuarantineEntry, QuarantineLimits } from '../../ports/quarantine-store.ts';
import { digestOf, noDigest } from './digest.ts';
import { userColumn, userOf } from './record-columns.ts';
import { storedJson } from './stored-json.ts';

export interface QuarantineRow {
  readonly id: string;
  readonly agent: string;
  readonly user_id: string;
  readonly at: number;
  readonly last_at: number;
  readonly times: number;
  readonly via: Via;
  readonly session: string | null;
  readonly verb: GuardedVerb;
  readonly category: string;
  readonly origin: Origin;
  /** JSON. */
  readonly input: string | null;
  readonly content: string | null;
  readonly released_at: number | null;
  readonly released_by: string | null;
  readonly released_as: string | null;
}

export function toEntry(row: QuarantineRow, reasons: readonly string[]): QuarantineEntry {
  const { id, agent, at, times, via, session, verb, category, origin, content } = row;
  return {
    ...{ id, agent, at, times, via, session, verb, category, origin, content, reasons },
    user: userOf(row.user_id),
    state: stateOf(row.released_at),
    input: row.input === null ? null : storedJson<JsonObject>(row.input),
    lastAt: row.last_at,
    releasedAt: row.released_at,
    releasedBy: row.released_by,
    releasedAs: row.released_as,
  };
}

/** The row of an entry, with the digest that recognises the same write. */
export function toRow(entry: QuarantineEntry): QuarantineRow & { readonly digest: Buffer } {
  const { id, agent, at, times, via, session, verb, category, origin, content } = entry;
  const identity = identityOf(entry);
  return {
    ...{ id, agent, at, times, via, session, verb, category, origin, content },
    user_id: userColumn(entry.user),
    digest: identity === null ? noDigest() : digestOf(...identity),
    input: entry.input === null ? null : JSON.stringify(entry.input),
    last_at: entry.lastAt,
    released_at: entry.releasedAt,
    released_by: entry.releasedBy,
    released_as: entry.releasedAs,
  };
}

/** The number of the oldest row that stays; of rows newest first. Undefined when all stay. */
export function oldestKept(
  rows: readonly { readonly qid: number; readonly size: number }[],
  limits: QuarantineLimits,
): number | undefined {
  const kept = keptEntries(
    rows.map(({ size }) => size),
    limits,
  );
  return kept < rows.length ? rows[kept - 1]!.qid : undefined;
}
