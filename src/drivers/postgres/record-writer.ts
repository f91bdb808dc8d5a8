/** What happens to records inside a transaction: the group writer holds it, and commits when these are done. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventDraft } from '../../kernel/events.ts';
import { foldAgentName } from '../../kernel/names.ts';
import { type Change, FACT_SOURCES } from '../../kernel/record.ts';
import { mayChange, maySee, type Viewer } from '../../kernel/scope.ts';
import type {
  AddOptions,
  AddResult,
  RecordDraft,
  RecordPatch,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { recordDigest } from '../common/digest.ts';
import { newRecord, type Snapshot } from '../common/new-record.ts';
import { prunedEvent, wroteEvent } from '../common/record-events.ts';
import { mayNotChange, refuseOtherEnd, versionOf } from '../common/refusals.ts';
import { strengthening } from '../common/strengthen.ts';
import { addFacts, ensureAgent, prune } from './agent-counters.ts';
import type { PostgresEventStore } from './event-store.ts';
import { reindex } from './record-index.ts';
import { insertIfNew, insertRecord, type NewRow } from './record-insert.ts';
import { findKey, useKey } from './record-keys.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord, toSnapshot } from './record-rows.ts';
import { type Asking, sql } from './sql.ts';
import { changeVector } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

export const author = (context: WriteContext): string => context.viewer.agent ?? context.viewer.role;

/** The row, if the viewer may see it. */
export async function visibleRow(
  session: Asking,
  id: string,
  viewer: Viewer,
): Promise<RecordRow | undefined> {
  const row = await session.row<RecordRow>(sql`SELECT ${RECORD_COLUMNS} FROM records r WHERE r.id = ${id}`);
  return row !== undefined && maySee(viewer, row) ? row : undefined;
}

/** The row, if the viewer may change it. */
export async function changeableRow(
  transaction: WriteTransaction,
  id: string,
  ifVersion: number | undefined,
  context: WriteContext,
): Promise<RecordRow> {
  const row = await visibleRow(transaction, id, context.viewer);
  if (row === undefined) {
    throw new KeepsakeError('NOT_FOUND', `There is no memory ${id}.`, {
      hint: 'List or search to find its id.',
    });
  }
  if (!mayChange(context.viewer, row)) throw mayNotChange(id, author(context), row);
  if (row.forgotten_at !== null) {
    throw new KeepsakeError('FORGOTTEN', `${id} was forgotten; its content is gone.`, { details: { id } });
  }
  if (ifVersion !== undefined && ifVersion !== row.version) {
    throw new KeepsakeError('CONFLICT', `${id} is at version ${row.version}, not ${ifVersion}.`, {
      hint: 'Read it again and repeat the change.',
      details: { id, expected: ifVersion, found: row.version },
    });
  }
  return row;
}

export class RecordWriter {
  readonly #events: PostgresEventStore;

  constructor(events: PostgresEventStore) {
    this.#events = events;
  }

  async add(
    transaction: WriteTransaction,
    draft: RecordDraft,
    { idempotencyKey: key, maxFacts, supersedes }: AddOptions,
    context: WriteContext,
  ): Promise<AddResult> {
    const digest = recordDigest(draft);
    const record = newRecord(draft, supersedes ?? null, context.at);
    const counted = FACT_SOURCES.includes(draft.source);
    const fresh: NewRow = {
      // Whether it is over already, its time says.
      record: { ...record, expiryReason: null },
      ...{ change: 'added', changedBy: author(context), counted, digest, embedding: draft.embedding },
    };
    // Nearly all are new, and one way to the server tells.
    const isPlain = key === undefined && supersedes === undefined;
    const quick = isPlain ? await insertIfNew(transaction, fresh, context.at) : undefined;
    let superseded: RecordRow | undefined;
    if (quick === undefined) {
      const keyed = key === undefined ? undefined : await findKey(transaction, draft.agent, key, digest);
      const { same, isKnown } = await before(transaction, draft, digest, context.at);
      const earlier = keyed ?? same;
      if (earlier !== undefined) {
        if (key !== undefined) await useKey(transaction, draft.agent, key, earlier.rid, digest);
        const isByText = keyed === undefined;
        const patch = isByText ? strengthening({ ...earlier, expiresAt: earlier.expires_at }, draft) : {};
        // Known before, but it takes the other one's place only now. A repeated call has done that already.
        if (supersedes !== undefined && isByText && supersedes !== earlier.id) {
          await supersede(
            transaction,
            await replaceable(transaction, supersedes, context),
            { ...draft, id: earlier.id },
            context,
          );
        }
        return {
          ...(await this.#change(transaction, earlier, patch, 'updated', maxFacts, context)),
          outcome: 'duplicate',
        };
      }
      superseded = supersedes === undefined ? undefined : await replaceable(transaction, supersedes, context);
      if (!isKnown) await ensureAgent(transaction, draft.agent, context.at);
    }
    const { rid, facts } = quick ?? (await insertRecord(transaction, fresh));
    if (key !== undefined) await useKey(transaction, draft.agent, key, rid, digest);
    const freed = superseded === undefined ? 0 : await supersede(transaction, superseded, draft, context);
    const wrote = wroteEvent(draft, 1, 'added', context);
    const isOwnPlace = superseded?.agent === draft.agent;
    const { pruned, drafts } = await this.#prune(
      transaction,
      draft.agent,
      facts - (isOwnPlace ? freed : 0),
      maxFacts,
      context,
    );
    const isPruned = pruned.includes(draft.id);
    return {
      outcome: 'added',
      record: isPruned
        ? toRecord((await visibleRow(transaction, draft.id, { role: 'admin' }))!, context.at)
        : record,
      pruned,
      events: this.#events.write(transaction, [wrote, ...drafts]),
    };
  }

  async update(
    transaction: WriteTransaction,
    id: string,
    patch: RecordPatch,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    const row = await changeableRow(transaction, id, ifVersion, context);
    refuseOtherEnd(row, patch);
    return this.#change(transaction, row, patch, 'updated', maxFacts, context);
  }

  async revert(
    transaction: WriteTransaction,
    id: string,
    version: number | undefined,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    const row = await changeableRow(transaction, id, ifVersion, context);
    const target = version ?? row.version - 1;
    if (target === row.version) return unchanged(row, context.at);
    const stored = await transaction.row<{ snapshot: string }>(
      sql`SELECT snapshot FROM record_versions WHERE rid = ${row.rid} AND version = ${target}`,
    );
    const snapshot = stored === undefined ? undefined : (JSON.parse(stored.snapshot) as Snapshot);
    // A version from before it was shared is as private as it was then.
    if (snapshot === undefined || !maySee(context.viewer, { ...snapshot, agent: row.agent })) {
      throw new KeepsakeError('NOT_FOUND', `${id} has no version ${target} to go back to.`, {
        hint: `Its versions are 1 to ${row.version}; see its history.`,
      });
    }
    return this.#change(transaction, row, versionOf(row, snapshot), 'undone', maxFacts, context);
  }

  async #change(
    transaction: WriteTransaction,
    row: RecordRow,
    patch: RecordPatch,
    kind: Change,
    maxFacts: number,
    context: WriteContext,
  ): Promise<UpdateResult> {
    const before = toSnapshot(row);
    const { embedding, ...fields } = patch;
    const after: Snapshot = { ...before, ...fields };
    if (JSON.stringify(before) === JSON.stringify(after)) return unchanged(row, context.at);

    const expired = isOver(after.expiresAt, context.at);
    const change = kind === 'updated' && expired && before.expiresAt !== after.expiresAt ? 'expired' : kind;
    const counted = FACT_SOURCES.includes(row.source) && !expired;
    const sameExpiry = after.expiresAt === before.expiresAt;
    const reason = expired ? (sameExpiry ? row.expiry_reason : 'manual') : null;
    const digest = recordDigest({ ...after, agent: row.agent, source: row.source, thread: row.thread });
    const now = await transaction.row<RecordRow>(
      sql`WITH kept AS (
            INSERT INTO record_versions VALUES (${row.rid}, ${row.version}, ${row.change}, ${row.updated_at},
              ${row.changed_by}, ${JSON.stringify(before)})
          )
          UPDATE records r SET content = ${after.content}, category = ${after.category},
            confidence = ${after.confidence}, scope = ${after.scope}, tags = ${after.tags}::text[],
            metadata = ${JSON.stringify(after.metadata)}, pinned = ${after.pinned}, expires_at = ${after.expiresAt},
            expiry_reason = ${reason}, updated_at = ${context.at}, version = version + 1, change = ${change},
            changed_by = ${author(context)}, counted = ${counted}, digest = ${digest}
          WHERE rid = ${row.rid} RETURNING ${RECORD_COLUMNS}`,
    );
    await reindex(transaction, row.rid, after);
    await changeVector(transaction, row, after, embedding);
    const facts = await addFacts(transaction, row.agent, Number(counted) - Number(row.counted));
    const wrote = wroteEvent(
      { ...after, id: row.id, agent: row.agent, source: row.source },
      row.version + 1,
      change,
      context,
    );
    // A fact that expired by itself kept its place, so the count alone does not tell that it came back to life.
    const revived = !row.counted || isOver(row.expires_at, context.at);
    const joins = counted && (revived || (row.pinned && !after.pinned));
    const { pruned, drafts } = await this.#prune(
      transaction,
      row.agent,
      joins ? facts : 0,
      maxFacts,
      context,
    );
    const final = pruned.includes(row.id) ? await visibleRow(transaction, row.id, { role: 'admin' }) : now;
    return {
      outcome: 'updated',
      record: toRecord(final!, context.at),
      pruned,
      events: this.#events.write(transaction, [wrote, ...drafts]),
    };
  }

  async #prune(
    transaction: WriteTransaction,
    agent: string,
    facts: number,
    limit: number,
    context: WriteContext,
  ): Promise<{ pruned: string[]; drafts: EventDraft[] }> {
    const rows = await prune(transaction, agent, facts, { limit, now: context.at });
    return {
      pruned: rows.map((row) => row.id),
      drafts: rows.map((row) => prunedEvent(row, limit, context)),
    };
  }
}

/** The same text that is still alive, and whether the agent is known under just this name. */
async function before(
  transaction: WriteTransaction,
  { agent }: RecordDraft,
  digest: Buffer,
  now: number,
): Promise<{ same: RecordRow | undefined; isKnown: boolean }> {
  const row = await transaction.row<
    { known: string | null } & { [Column in keyof RecordRow]: RecordRow[Column] | null }
  >(
    sql`SELECT k.known, ${RECORD_COLUMNS}
        FROM (SELECT (SELECT name FROM agents WHERE folded = ${foldAgentName(agent)}) AS known) k
        LEFT JOIN LATERAL (
          SELECT * FROM records r WHERE r.digest = ${digest} AND r.forgotten_at IS NULL
          AND (r.expires_at IS NULL OR r.expires_at > ${now}) ORDER BY r.rid LIMIT 1
        ) r ON TRUE`,
  );
  const { known, ...same } = row!;
  return { same: same.rid === null ? undefined : (same as RecordRow), isKnown: known === agent };
}

/** The record that a new one is to take the place of; only one can. */
async function replaceable(
  transaction: WriteTransaction,
  id: string,
  context: WriteContext,
): Promise<RecordRow> {
  const row = await changeableRow(transaction, id, undefined, context);
  if (row.superseded_by === null) return row;
  throw new KeepsakeError('CONFLICT', `${id} was superseded by ${row.superseded_by} already.`, {
    hint: `Supersede ${row.superseded_by} instead.`,
    details: { id, supersededBy: row.superseded_by },
  });
}

/** The old one stops to hold when the new one begins to, but never later than now. Says how many places that frees. */
async function supersede(
  transaction: WriteTransaction,
  row: RecordRow,
  draft: RecordDraft,
  { at }: WriteContext,
): Promise<number> {
  const until = Math.max(row.valid_from ?? row.created_at, Math.min(at, draft.validFrom ?? at));
  const earlier = row.expires_at === null ? until : Math.min(until, row.expires_at);
  await transaction.run(
    sql`UPDATE records SET expires_at = ${earlier}, expiry_reason = 'superseded', superseded_by = ${draft.id},
          counted = FALSE WHERE rid = ${row.rid}`,
  );
  if (row.counted) await addFacts(transaction, row.agent, -1);
  return row.counted ? 1 : 0;
}

function unchanged(row: RecordRow, now: number): UpdateResult {
  return { outcome: 'unchanged', record: toRecord(row, now), pruned: [], events: [] };
}

const isOver = (expiresAt: number | null, now: number): boolean => expiresAt !== null && expiresAt <= now;
