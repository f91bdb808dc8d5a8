/** Applies the decisions about records inside the transaction that the group writer holds. */
import { foldAgentName } from '../../kernel/names.ts';
import type {
  AddOptions,
  AddResult,
  RecordDraft,
  RecordPatch,
  StoredRecord,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { requireChangeable } from '../../records/rules/change-rights.ts';
import { type AddPlan, decideAdd } from '../../records/rules/decide-add.ts';
import {
  type ChangePlan,
  decideRevert,
  decideUpdate,
  restoredVersion,
  type UpdatePlan,
} from '../../records/rules/decide-change.ts';
import type { SupersedePlan } from '../../records/rules/decide-supersede.ts';
import { recordAt, type Snapshot } from '../../records/rules/stored-records.ts';
import { recordDigest } from '../common/digest.ts';
import type { StoredRow } from '../common/record-columns.ts';
import { storedJson } from '../common/stored-json.ts';
import { addFacts, ensureAgent, type Owner, prune } from './agent-counters.ts';
import type { PostgresEventStore } from './event-store.ts';
import { reindex } from './record-index.ts';
import { type Inserted, insertIfNew, insertRecord } from './record-insert.ts';
import { findKey, useKey } from './record-keys.ts';
import { findRecord, RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';
import { sql } from './sql.ts';
import { changeVector } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

type InsertPlan = Extract<AddPlan<StoredRow>, { outcome: 'added' }>;
/** What is the same for all that one call writes. */
interface Write {
  readonly transaction: WriteTransaction;
  readonly maxFacts: number;
  readonly context: WriteContext;
}

export class RecordWriter {
  readonly #events: PostgresEventStore;

  constructor(events: PostgresEventStore) {
    this.#events = events;
  }

  async add(
    transaction: WriteTransaction,
    draft: RecordDraft,
    options: AddOptions,
    context: WriteContext,
  ): Promise<AddResult> {
    const { idempotencyKey: key, maxFacts, supersedes } = options;
    const write = { transaction, maxFacts, context };
    const digest = recordDigest(draft);
    const row = (plan: InsertPlan) => ({ record: storedOf(plan), digest, embedding: draft.embedding });
    if (key === undefined && supersedes === undefined) {
      // Nearly all are new, and one round trip both asks and inserts: so the plan for a new one is tried first.
      const plan = decideAdd({}, draft, options, context) as InsertPlan;
      const inserted = await insertIfNew(transaction, row(plan), context.at);
      if (inserted !== undefined) return this.#added(plan, inserted, write);
    }
    const keyed = key === undefined ? undefined : await findKey(transaction, draft, key, digest);
    const { same, isKnown } = await before(transaction, draft, digest, context.at);
    const superseded = supersedes === undefined ? undefined : await findRecord(transaction, supersedes);
    const plan = decideAdd({ keyed, same, superseded }, draft, options, context);
    if (plan.outcome === 'added') {
      if (!isKnown) await ensureAgent(transaction, draft.agent, context.at);
      const inserted = await insertRecord(transaction, row(plan));
      if (key !== undefined) await useKey(transaction, draft, key, inserted.rid, digest);
      return this.#added(plan, inserted, write);
    }
    if (key !== undefined) await useKey(transaction, draft, key, plan.row.rid, digest);
    if (plan.supersede !== undefined) await supersede(transaction, plan.supersede);
    return { ...(await this.#change(plan.change, write)), outcome: 'duplicate' };
  }

  async update(
    transaction: WriteTransaction,
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    const plan = decideUpdate(await findRecord(transaction, id), id, patch, options, context);
    return this.#change(plan, { transaction, maxFacts: options.maxFacts, context });
  }

  async revert(
    transaction: WriteTransaction,
    id: string,
    version: number | undefined,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    const row = requireChangeable(await findRecord(transaction, id), id, ifVersion, context);
    const target = restoredVersion(row, version);
    const stored = await transaction.row<{ snapshot: string }>(
      sql`SELECT snapshot FROM record_versions WHERE rid = ${row.rid} AND version = ${target}`,
    );
    const snapshot = stored === undefined ? undefined : storedJson<Snapshot>(stored.snapshot);
    return this.#change(decideRevert(row, target, snapshot, context), { transaction, maxFacts, context });
  }

  async #added(plan: InsertPlan, inserted: Inserted, write: Write): Promise<AddResult> {
    const { transaction, context } = write;
    const { record } = plan;
    let { facts } = inserted;
    if (plan.supersede !== undefined) {
      await supersede(transaction, plan.supersede);
      if (isSameOwner(plan.supersede.row, record)) facts += plan.supersede.facts;
    }
    const { pruned, events } = await capped(record, plan.counted ? facts : 0, write);
    const isPruned = pruned.includes(record.id);
    return {
      outcome: 'added',
      record: isPruned ? recordAt((await findRecord(transaction, record.id))!, context.at) : record,
      pruned,
      events: this.#events.write(transaction, [plan.event, ...events]),
    };
  }

  async #change(plan: ChangePlan<StoredRow>, write: Write): Promise<UpdateResult> {
    const { transaction, context } = write;
    const { row } = plan;
    if (plan.outcome === 'unchanged') {
      return { outcome: 'unchanged', record: recordAt(row, context.at), pruned: [], events: [] };
    }
    const changed = await storeVersion(transaction, plan);
    await reindex(transaction, row.rid, { ...plan.fields, user: row.user });
    await changeVector(transaction, row, plan.fields, plan.embedding);
    const facts = await addFacts(transaction, row, plan.facts);
    const { pruned, events } = await capped(row, plan.checksCap ? facts : 0, write);
    const now = pruned.includes(row.id) ? await findRecord(transaction, row.id) : changed;
    return {
      outcome: 'updated',
      record: recordAt(now!, context.at),
      pruned,
      events: this.#events.write(transaction, [plan.event, ...events]),
    };
  }
}

/** The row of a new record. No reason for its expiry is stored: its time says whether it is over. */
function storedOf({ record: { state: _, ...record }, changedBy, counted }: InsertPlan): StoredRecord {
  return { ...record, expiryReason: null, change: 'added', changedBy, counted };
}

/** The oldest live record that is the same, and whether an agent has exactly this name already. */
async function before(
  transaction: WriteTransaction,
  { agent }: RecordDraft,
  digest: Buffer,
  now: number,
): Promise<{ same: StoredRow | undefined; isKnown: boolean }> {
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
  return { same: same.rid === null ? undefined : toStored(same as RecordRow), isKnown: known === agent };
}

/** Keeps the version before and writes the new one, in one round trip; resolves to the record as it is then. */
async function storeVersion(
  transaction: WriteTransaction,
  { row, kept, fields }: UpdatePlan<StoredRow>,
): Promise<StoredRow> {
  const digest = recordDigest({ ...row, ...fields });
  const changed = await transaction.row<RecordRow>(
    sql`WITH kept AS (
          INSERT INTO record_versions VALUES (${row.rid}, ${kept.version}, ${kept.change}, ${kept.changedAt},
            ${kept.changedBy}, ${JSON.stringify(kept.snapshot)})
        )
        UPDATE records r SET content = ${fields.content}, category = ${fields.category},
          confidence = ${fields.confidence}, scope = ${fields.scope}, tags = ${fields.tags}::text[],
          metadata = ${JSON.stringify(fields.metadata)}, pinned = ${fields.pinned}, expires_at = ${fields.expiresAt},
          expiry_reason = ${fields.expiryReason}, updated_at = ${fields.updatedAt}, version = ${fields.version},
          change = ${fields.change}, changed_by = ${fields.changedBy}, counted = ${fields.counted}, digest = ${digest}
        WHERE rid = ${row.rid} RETURNING ${RECORD_COLUMNS}`,
  );
  return toStored(changed!);
}

async function supersede(
  transaction: WriteTransaction,
  { row, fields, facts }: SupersedePlan<StoredRow>,
): Promise<void> {
  await transaction.run(
    sql`UPDATE records SET expires_at = ${fields.expiresAt}, expiry_reason = ${fields.expiryReason},
          superseded_by = ${fields.supersededBy}, counted = ${fields.counted} WHERE rid = ${row.rid}`,
  );
  if (facts !== 0) await addFacts(transaction, row, facts);
}

const isSameOwner = (a: Owner, b: Owner): boolean => a.agent === b.agent && a.user === b.user;

const capped = (owner: Owner, facts: number, { transaction, maxFacts, context }: Write) =>
  prune(transaction, owner, { facts, limit: maxFacts }, context);
