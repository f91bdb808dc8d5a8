/** Long-term memory: every write passes the pipeline here, every search is ranked here. */
import { type Consent, Gate, type GateParts } from '../guard/index.ts';
import { type Caller, NO_AGENT, writingOwner } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { IdFactory } from '../kernel/ids.ts';
import { inTurns } from '../kernel/in-turns.ts';
import type { MemoryRecord, Origin, RecordVersion, Source } from '../kernel/record.ts';
import { mayChange } from '../kernel/scope.ts';
import { isStranger } from '../kernel/trust.ts';
import { validate } from '../kernel/validate.ts';
import type { Erasure, RecordFilter, RecordPatch, RecordStore, WriteContext } from '../ports/record-store.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Embedder } from './embedder.ts';
import { expiredFor } from './expired.ts';
import { toFilter } from './filters.ts';
import { type ForgottenCopies, type RedactCopies, redactBefore, withCopies } from './forgotten-copies.ts';
import {
  type AddInput,
  addInput,
  getInput,
  idInput,
  type ListInput,
  listInput,
  type PruneInput,
  pruneInput,
  type RecallInput,
  type SearchInput,
  type StandingInput,
  type UndoInput,
  type UpdateInput,
  undoInput,
  updateInput,
} from './inputs.ts';
import { judgeChanges } from './judge-changes.ts';
import type { LateInteraction } from './late-interaction.ts';
import {
  type FoundMemories,
  Recall,
  type RecalledMemory,
  type RecallPolicy,
  type StandingMemory,
} from './recall.ts';
import { requireSource } from './rules/change-rights.ts';
import { changedReach } from './undone-changes.ts';

export interface RecordPolicy extends RecallPolicy {
  readonly maxEntries: number;
  readonly readOnly: boolean;
  readonly ttl: Readonly<Record<Source, number | null>>;
}

export interface RecordServiceParts extends GateParts {
  readonly store: RecordStore;
  readonly ids: IdFactory;
  readonly embedder: Embedder;
  readonly reranker?: Reranker | undefined;
  readonly lateInteraction?: LateInteraction | undefined;
  /** Settings differ between agents; undefined asks for those of the workspace. */
  readonly policyFor: (agent: string | undefined) => RecordPolicy;
  /** Absent where nothing else is recorded, as in tests of records alone. */
  readonly redactCopies?: RedactCopies;
}

export type AddedMemory = MemoryRecord & {
  readonly outcome: 'added' | 'duplicate';
  readonly pruned: readonly string[];
};
export type UpdatedMemory = MemoryRecord & {
  readonly outcome: 'updated' | 'unchanged';
  readonly pruned: readonly string[];
};
export type ForgottenMemory = Omit<Erasure, 'events'> & ForgottenCopies;
export interface PrunedMemories {
  /** The expired memories that were erased, or would be. */
  readonly expired: readonly MemoryRecord[];
  /** How many were erased. */
  readonly erased: number;
}

/** More would keep other writers waiting for too long. */
const ERASED_AT_ONCE = 1_000;
/** How far back a history follows what was superseded. */
const MAX_PREDECESSORS = 100;

export class RecordService {
  readonly #parts: RecordServiceParts;
  readonly #recall: Recall;
  readonly #gate: Gate;

  constructor(parts: RecordServiceParts) {
    this.#parts = parts;
    this.#recall = new Recall(parts);
    this.#gate = new Gate(parts);
  }

  /** How many live facts an agent keeps findable. */
  capOf(agent: string): number {
    return this.#parts.policyFor(agent).maxEntries;
  }

  async add(input: AddInput, caller: Caller, consent?: Consent): Promise<AddedMemory> {
    const given = validate(addInput, input, 'memory.add');
    const { idempotencyKey, expiresAt, supersedes, ifVersion, validFrom, ...fields } = given;
    const { agent, user } = writingOwner(caller);
    requireSource(caller.viewer, fields.source);
    const policy = this.#writable(agent, caller);
    const subject = { ...fields, content: fields.content.toWellFormed() };
    const {
      content,
      tags,
      metadata = {},
    } = await this.#gate.pass({ verb: 'memory.add', agent, input: given, subject }, caller, consent);
    // Who releases a write from quarantine answers for it.
    const context = this.#context(caller, consent === undefined ? fields.origin : 'user');
    refuseFuture(validFrom, context.at);
    const ttl = policy.ttl[fields.source];
    const embedding = this.#parts.embedder.now(content);
    const { outcome, record, pruned, events } = await this.#parts.store.add(
      {
        ...fields,
        content,
        tags,
        metadata,
        id: this.#parts.ids('mem'),
        agent,
        user,
        // What is known of a person without an agent holds with every agent.
        scope: agent === NO_AGENT ? 'swarm' : fields.scope,
        thread: fields.thread ?? null,
        validFrom: validFrom ?? null,
        expiresAt: expiresAt === undefined ? (ttl === null ? null : context.at + ttl) : expiresAt,
        ...defined({ embedding }),
      },
      {
        maxFacts: policy.maxEntries,
        ...defined({ idempotencyKey, supersedes, ifVersion }),
      },
      context,
    );
    if (embedding === undefined) this.#parts.embedder.wake();
    this.#parts.lateInteraction?.wake();
    this.#parts.hub.publish(events);
    return { ...record, outcome, pruned };
  }

  async update(input: UpdateInput, caller: Caller, consent?: Consent): Promise<UpdatedMemory> {
    const { id, ifVersion, origin: asked, ...given } = validate(updateInput, input, 'memory.update');
    const { present, policy } = await this.#changing(id, caller);
    const origin = consent === undefined ? asked : 'user';
    const changes = await judgeChanges(present, given, { gate: this.#gate, caller, origin, consent });
    const content = changes.content;
    const embedding = content === undefined ? undefined : this.#parts.embedder.now(content);
    const patch: RecordPatch = defined({ ...changes, embedding });
    const options = { maxFacts: policy.maxEntries, ...defined({ ifVersion }) };
    const result = await this.#parts.store.update(id, patch, options, this.#context(caller, origin));
    if (content !== undefined && embedding === undefined) this.#parts.embedder.wake();
    this.#parts.lateInteraction?.wake();
    this.#parts.hub.publish(result.events);
    return { ...result.record, outcome: result.outcome, pruned: result.pruned };
  }

  /** Takes back the last change, or goes back to a given version; the history keeps both. */
  async undo(input: UndoInput, caller: Caller): Promise<UpdatedMemory> {
    const { id, version, ifVersion, origin } = validate(undoInput, input, 'memory.undo');
    const { present, policy } = await this.#changing(id, caller);
    const versions = isStranger(origin) ? await this.#parts.store.history(id, caller.viewer) : [];
    await judgeChanges(present, changedReach(present, versions, version), {
      ...{ gate: this.#gate, caller, origin },
    });
    const options = { maxFacts: policy.maxEntries, ...defined({ ifVersion }) };
    const result = await this.#parts.store.revert(id, version, options, this.#context(caller, origin));
    this.#parts.embedder.wake();
    this.#parts.lateInteraction?.wake();
    this.#parts.hub.publish(result.events);
    return { ...result.record, outcome: result.outcome, pruned: result.pruned };
  }

  async forget(input: { id: string }, caller: Caller): Promise<ForgottenMemory> {
    const { id } = validate(idInput, input, 'memory.forget');
    const [copies] = await this.#redactCopies([id], caller);
    const { events, ...erasure } = await this.#parts.store.forget(id, this.#context(caller));
    this.#parts.hub.publish(events);
    return withCopies(erasure, copies!);
  }

  /** Erases many at once; each call of the store takes all of its records or none. */
  async forgetMany(input: { ids: readonly string[] }, caller: Caller): Promise<readonly ForgottenMemory[]> {
    const ids = input.ids.map((id) => validate(idInput, { id }, 'memory.forget').id);
    const forgotten: ForgottenMemory[] = [];
    for (let from = 0; from < ids.length; from += ERASED_AT_ONCE) {
      const some = ids.slice(from, from + ERASED_AT_ONCE);
      const copies = await this.#redactCopies(some, caller);
      const erased = await this.#parts.store.forgetMany(some, this.#context(caller));
      for (const [i, { events, ...erasure }] of erased.entries()) {
        this.#parts.hub.publish(events);
        forgotten.push(withCopies(erasure, copies[i]!));
      }
    }
    return forgotten;
  }

  /** Erases expired records permanently: nothing but this call ever does. */
  async forgetExpired(input: PruneInput, caller: Caller): Promise<PrunedMemories> {
    const { dryRun, source, before } = validate(pruneInput, input, 'memory.forgetExpired');
    const now = this.#parts.clock.now();
    const expired = await expiredFor(this.#parts.store, caller.viewer, now, defined({ source, before }));
    if (dryRun) return { expired, erased: 0 };
    await this.forgetMany({ ids: expired.map(({ id }) => id) }, caller);
    return { expired, erased: expired.length };
  }

  /** The whole record, also when it expired; counts as an access unless it is only peeked at. */
  async get(input: { id: string; peek?: boolean | undefined }, caller: Caller): Promise<MemoryRecord> {
    const { id, peek } = validate(getInput, input, 'memory.get');
    const record = await this.#existing(id, caller);
    const { readOnly } = this.#policy(caller.viewer.agent, caller);
    if (peek || readOnly || record.state === 'forgotten') return record;
    const at = this.#parts.clock.now();
    try {
      await this.#parts.store.countAccess([id], 'access', at);
    } catch (error) {
      // Whoever may not write, as on a read-only file system, can still read.
      if (KeepsakeError.is(error) && error.code === 'PERMISSION') return record;
      throw error;
    }
    return { ...record, accessCount: record.accessCount + 1, lastAccessedAt: at };
  }

  async list(input: ListInput, caller: Caller): Promise<readonly MemoryRecord[]> {
    const { limit, after, state, ...filters } = validate(listInput, input, 'memory.list');
    return this.#parts.store.list({
      viewer: caller.viewer,
      now: this.#parts.clock.now(),
      filter: toFilter(filters),
      states: state === 'any' ? ['live', 'expired', 'forgotten'] : [state],
      limit,
      ...defined({ after }),
    });
  }

  /** Every version, oldest first, those of the memories that it superseded included. */
  async history(input: { id: string }, caller: Caller): Promise<readonly RecordVersion[]> {
    const { id } = validate(idInput, input, 'memory.history');
    const versions = [...(await this.#parts.store.history(id, caller.viewer))];
    if (versions.length === 0) throw memoryNotFound(id);
    const now = this.#parts.clock.now();
    let record = await this.#parts.store.get(id, caller.viewer, now);
    for (let steps = 0; record?.supersedes != null && steps < MAX_PREDECESSORS; steps++) {
      versions.unshift(...(await this.#parts.store.history(record.supersedes, caller.viewer)));
      record = await this.#parts.store.get(record.supersedes, caller.viewer, now);
    }
    return versions;
  }

  search(
    input: SearchInput,
    caller: Caller,
    within?: Partial<Pick<RecordFilter, 'threads'>>,
  ): Promise<FoundMemories> {
    return this.#recall.search(input, caller, within);
  }

  standing(input: StandingInput, caller: Caller): Promise<StandingMemory> {
    return this.#recall.standing(input, caller);
  }

  recall(input: RecallInput, caller: Caller): Promise<RecalledMemory> {
    return this.#recall.recall(input, caller);
  }

  async #existing(id: string, caller: Caller): Promise<MemoryRecord> {
    const record = await this.#parts.store.get(id, caller.viewer, this.#parts.clock.now());
    if (record === null) throw memoryNotFound(id);
    return record;
  }

  /** The record to change, and the rules of its owner, which hold whoever changes it. */
  async #changing(id: string, caller: Caller): Promise<{ present: MemoryRecord; policy: RecordPolicy }> {
    this.#writable(caller.viewer.agent, caller);
    const present = await this.#existing(id, caller);
    return { present, policy: this.#writable(present.agent, caller) };
  }

  /** Nothing is touched for a caller whom the store will refuse. */
  async #redactCopies(ids: readonly string[], caller: Caller): Promise<readonly ForgottenCopies[]> {
    const { store, redactCopies } = this.#parts;
    const memories = await inTurns(ids, async (id) => {
      const { present } = await this.#changing(id, caller);
      return mayChange(caller.viewer, present) ? present : null;
    });
    return redactBefore(memories, store, caller.viewer, redactCopies);
  }

  #policy(agent: string | undefined, { viewer, limits }: Caller): RecordPolicy {
    const policy = this.#parts.policyFor(agent);
    return agent === viewer.agent ? { ...policy, ...limits } : policy;
  }

  #writable(agent: string | undefined, caller: Caller): RecordPolicy {
    const policy = this.#policy(agent, caller);
    if (policy.readOnly) {
      throw new KeepsakeError('READ_ONLY', 'Memory is read-only here.', {
        hint: 'Set memory.readOnly to false to write.',
      });
    }
    return policy;
  }

  #context({ viewer, via, session }: Caller, origin?: Origin): WriteContext {
    return { at: this.#parts.clock.now(), viewer, via, ...defined({ session, origin }) };
  }
}

function refuseFuture(validFrom: number | undefined, now: number): void {
  if (validFrom === undefined || validFrom <= now) return;
  throw new KeepsakeError('INVALID_INPUT', 'validFrom lies in the future.', {
    hint: 'Add the memory when it becomes true.',
  });
}

export function memoryNotFound(id: string): KeepsakeError {
  return new KeepsakeError('NOT_FOUND', `There is no memory ${id}.`, {
    hint: 'List or search to find its id.',
  });
}
