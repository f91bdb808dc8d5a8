/** Applies the operations that a review proposed, one at a time, after checking each. */
import { createHash } from 'node:crypto';
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { FACT_SOURCES, type MemoryRecord, type Origin } from '../kernel/record.ts';
import type { Scope } from '../kernel/scope.ts';
import { foldCategory, isLessTrusted, requiredTrust } from '../kernel/trust.ts';
import type { Guard } from '../ports/guard.ts';
import type { RecordService } from '../records/index.ts';
import { junkReason } from './junk.ts';
import { claimedOrigin, type Speakers } from './origin.ts';
import type { LearningPolicy, OperationReport, Outcome } from './policy.ts';
import type { ProposedOperation } from './proposal.ts';
import { compare, contradicts } from './similarity.ts';

export interface ApplierParts {
  readonly records: RecordService;
  readonly caller: Caller;
  readonly session: string;
  readonly now: number;
  readonly policy: LearningPolicy;
  /** What the model was shown: the only memories that it may change. */
  readonly shown: ReadonlyMap<string, MemoryRecord>;
  readonly speakers: Speakers;
  readonly system: readonly string[];
  /** Kept with every record that is added. */
  readonly metadata: JsonObject;
  /** When an imported conversation took place. What it teaches holds since then, and counts as imported. */
  readonly importedFrom?: number | undefined;
  /** For a dry run; a write passes the one before the store. */
  readonly guard?: Guard | undefined;
}

/** Memories of these categories go into every prompt, so nobody but user and agent may have said them. */
const STANDING = new Set(['instruction', 'preference']);
/** Memories that are compared with a new one; the same thing said again is among the first. */
const LOOKED_AT = 8;

/** Errors that concern one operation; any other stops the review, which can be run again. */
const OF_ONE_OPERATION: Readonly<Record<string, string>> = {
  BLOCKED: 'blocked by the guard',
  CONFLICT: 'changed in the meantime',
  FORBIDDEN: 'not allowed to change it',
  FORGOTTEN: 'was forgotten',
  NOT_FOUND: 'is gone',
  INVALID_INPUT: 'not a valid memory',
  TOO_LARGE: 'too large',
};

/** A proposal that may be stored, with what was found out about it. */
interface Statement {
  readonly content: string;
  readonly category: string;
  readonly confidence: number;
  readonly origin: Origin;
}

interface Done {
  readonly outcome: Outcome;
  readonly id: string | null;
}

class Rejection extends Error {}

const reject = (reason: string): never => {
  throw new Rejection(reason);
};

export class Applier {
  readonly #parts: ApplierParts;
  readonly #changed = new Set<string>();
  /** In a dry run nothing is found again in the store. */
  readonly #planned: string[] = [];

  constructor(parts: ApplierParts) {
    this.#parts = parts;
  }

  async apply(operation: ProposedOperation): Promise<OperationReport> {
    const { op, confidence, category, content } = operation;
    const told = { op, confidence, category, content };
    try {
      return { ...told, ...(await this.#apply(operation)) };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      return { ...told, id: operation.id, outcome: 'rejected', reason };
    }
  }

  async #apply(operation: ProposedOperation): Promise<Done> {
    const { policy, system, speakers } = this.#parts;
    const target = operation.id === null ? undefined : await this.#target(operation.id);
    if (operation.confidence < policy.confidenceThreshold) reject('low confidence');
    if (operation.content === null) return this.#delete(target!, claimedOrigin(operation));
    // What a prompt says is known, unless the user says it too.
    const isOwn = speakers.isSaidByUser(operation.content);
    const junk = junkReason(operation.content, isOwn ? [] : system);
    if (junk !== undefined) reject(junk);
    const heard = speakers.originOf(operation);
    const origin: Origin = this.#parts.importedFrom === undefined || heard === 'tool' ? heard : 'import';
    const category = operation.category ?? target?.category ?? 'fact';
    if (origin === 'tool' && STANDING.has(foldCategory(category))) reject('untrusted instruction');
    const said = { ...operation, content: operation.content, category, origin };
    // What came from outside stands beside what user and agent said, and never takes its place.
    if (target === undefined || isLessTrusted(origin, requiredTrust(target))) return this.#add(said);
    return operation.op === 'supersede' || contradicts(target.content, said.content)
      ? this.#supersede(target, said)
      : this.#update(target, said);
  }

  /** The memory as the model saw it; one that is not like that any more is not touched. */
  async #target(id: string): Promise<MemoryRecord> {
    const { shown, records, caller, now } = this.#parts;
    const target = shown.get(id) ?? reject('unknown id');
    if (target.pinned) reject('pinned');
    if (this.#changed.has(id)) reject('already changed in this review');
    // Not by `get`, which would count as an access.
    const present = (await records.history({ id }, caller)).at(-1);
    const isOver = present?.expiresAt != null && present.expiresAt <= now;
    if (present?.version !== target.version || isOver) reject('changed in the meantime');
    return target;
  }

  async #add(said: Statement): Promise<Done> {
    const near = await this.#near(said);
    if (near !== undefined) return near;
    return this.#store(said, 'added', {});
  }

  async #supersede(target: MemoryRecord, said: Statement): Promise<Done> {
    if (compare(target.content, said.content) === 'same') return this.#confirm(target, said);
    this.#changed.add(target.id);
    // The others must not lose what they know because one of them knows better.
    const { id: supersedes, version: ifVersion, scope } = target;
    return this.#store(said, 'superseded', { supersedes, ifVersion, scope });
  }

  async #update(target: MemoryRecord, said: Statement): Promise<Done> {
    const { records, caller, policy, session } = this.#parts;
    const { id, version } = target;
    this.#changed.add(id);
    if (policy.dryRun) return { outcome: this.#allowed(said, 'updated', target.scope), id };
    const { content, category } = said;
    const confidence = Math.max(target.confidence, said.confidence);
    const metadata = { ...target.metadata, confirmedIn: session };
    const { outcome } = await records.update(
      { id, content, category, confidence, metadata, ifVersion: version, origin: said.origin },
      caller,
    );
    return { outcome: outcome === 'updated' ? 'updated' : 'known', id };
  }

  /** Takes a memory out of search. A model's word is not enough to erase it: it stays readable, and undo brings it back. */
  async #delete(known: MemoryRecord, origin: Origin): Promise<Done> {
    const { id, version } = known;
    const { records, caller, policy, now } = this.#parts;
    if (isLessTrusted(origin, requiredTrust(known))) reject('less trusted than the memory');
    this.#changed.add(id);
    if (!policy.dryRun) await records.update({ id, expiresAt: now, ifVersion: version, origin }, caller);
    return { outcome: 'deleted', id };
  }

  async #store(
    said: Statement,
    outcome: Outcome,
    more: { readonly supersedes?: string; readonly ifVersion?: number; readonly scope?: Scope },
  ): Promise<Done> {
    const { records, caller, policy, session, metadata, importedFrom } = this.#parts;
    const { content, category, confidence, origin } = said;
    const since = importedFrom === undefined ? {} : { validFrom: importedFrom };
    this.#planned.push(content);
    if (policy.dryRun) return { outcome: this.#allowed(said, outcome, more.scope), id: null };
    const idempotencyKey = keyOf(session, outcome, category, content, more.supersedes ?? '');
    const stored = await records.add(
      {
        content,
        category,
        confidence,
        origin,
        metadata,
        source: 'extracted',
        idempotencyKey,
        ...since,
        ...more,
      },
      caller,
    );
    return { outcome: stored.outcome === 'added' ? outcome : 'known', id: stored.id };
  }

  #allowed({ content, category, origin }: Statement, outcome: Outcome, scope: Scope = 'agent'): Outcome {
    const subject = { content, category, origin, tags: [], scope, source: 'extracted' } as const;
    const verdict = this.#parts.guard?.inspect(subject);
    return verdict?.allowed === false ? reject(OF_ONE_OPERATION.BLOCKED!) : outcome;
  }

  /** What a memory says already is not said twice: it is confirmed, or said more fully. */
  async #near(said: Statement): Promise<Done | undefined> {
    const { records, caller } = this.#parts;
    if (this.#planned.some((content) => compare(content, said.content) === 'same')) {
      return { outcome: 'known', id: null };
    }
    const hits = await records.search({ query: said.content, limit: LOOKED_AT, minRelevance: 0 }, caller);
    const own = hits.filter(
      ({ agent, source }) => agent === caller.viewer.agent && FACT_SOURCES.includes(source),
    );
    for (const hit of own) {
      const likeness = compare(hit.content, said.content);
      if (likeness === 'same') return this.#confirm(hit, said);
      if (likeness === 'fuller' && this.#mayRephrase(hit, said)) return this.#update(hit, said);
      if (compare(said.content, hit.content) === 'fuller') return this.#confirm(hit, said);
    }
    return undefined;
  }

  /** Only our own words are rewritten; what a person wrote stays as it was written. */
  #mayRephrase(hit: MemoryRecord, { category, origin }: Statement): boolean {
    return (
      hit.source === 'extracted' &&
      hit.category === category &&
      !hit.pinned &&
      !this.#changed.has(hit.id) &&
      !isLessTrusted(origin, requiredTrust(hit))
    );
  }

  /** Counts only when the user said it: an agent that repeats what it remembers would confirm itself forever. */
  async #confirm(known: MemoryRecord, said: Statement): Promise<Done> {
    const { records, caller, session, policy, speakers } = this.#parts;
    const { id, metadata } = known;
    const isOld = metadata.session !== session && metadata.confirmedIn !== session;
    if (!isOld || !speakers.isSaidByUser(said.content)) return { outcome: 'known', id };
    if (policy.dryRun) return { outcome: 'confirmed', id };
    const times = typeof metadata.confirmations === 'number' ? metadata.confirmations : 0;
    const confirmed = { ...metadata, confirmations: times + 1, confirmedIn: session };
    const confidence = Math.max(known.confidence, said.confidence);
    await records.update({ id, confidence, metadata: confirmed }, caller);
    return { outcome: 'confirmed', id };
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Rejection) return error.message;
  return KeepsakeError.is(error) ? OF_ONE_OPERATION[error.code] : undefined;
}

/** The same operation of the same session has the same key, so that a second review stores nothing twice. */
export function keyOf(session: string, ...parts: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([session, ...parts]))
    .digest('hex');
  return `learn:${digest}`;
}
