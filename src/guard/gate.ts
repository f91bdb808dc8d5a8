/** The gate of every write: accepts it, replaces its secrets, or refuses it with an event, a quarantine entry and an error. */

import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventHub, Via } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Guard, GuardSubject, Verdict } from '../ports/guard.ts';
import type { BlockedDraft, GuardedVerb } from '../ports/quarantine-store.ts';
import type { Quarantine } from './quarantine.ts';

export interface GateParts {
  readonly guard: Guard;
  readonly events: EventStore;
  readonly hub: EventHub;
  readonly clock: Clock;
  /** Without one, what is refused is lost. */
  readonly quarantine?: Quarantine | undefined;
}

export interface JudgedWrite {
  readonly verb: GuardedVerb;
  readonly agent: string | undefined;
  /** The input of the verb, with which it can be done again. */
  readonly input: object;
  readonly subject: GuardSubject;
  /** What it is now; what was accepted once is not held against a change of something else. */
  readonly before?: GuardSubject;
}

/** Passed by the release from quarantine only: a person has read the text and answers for it. */
export interface Consent {
  readonly quarantineId: string;
}

export type Passed = Pick<GuardSubject, 'content' | 'tags' | 'metadata'>;

export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Answers with what may be stored, or throws BLOCKED. */
  async pass(write: JudgedWrite, caller: Caller, consent?: Consent): Promise<Passed> {
    const { content, tags, metadata = {} } = write.subject;
    const asGiven = { content, tags, metadata };
    if (consent !== undefined) return asGiven;
    // Files are a person's own where a person adds them; what a model adds, it may have written itself.
    const isOwn = caller.ownDocument === true && mayKnowWhy(caller);
    const verdict = await this.#inspect(isOwn ? { ...write.subject, ownDocument: true } : write.subject);
    if (!verdict.allowed && !(await this.#wasSoBefore(verdict, write)))
      throw await this.refuse(verdict, write, caller);
    return { ...asGiven, ...verdict.instead };
  }

  /** Tells observers and keeps the write; answers with the error to throw. */
  async refuse(verdict: Verdict, write: JudgedWrite, caller: Caller): Promise<KeepsakeError> {
    const { via, session, viewer } = caller;
    const { clock, events, hub, quarantine } = this.#parts;
    const { verb, agent, subject } = write;
    const reasons = [...verdict.reasons];
    const event: BlockedDraft = {
      type: 'memory.blocked',
      at: clock.now(),
      via,
      ...defined({ agent, user: viewer.user, session }),
      reasons,
      category: subject.category,
    };
    let id: string | undefined;
    if (quarantine === undefined || agent === undefined) hub.publish(await events.append([event]));
    else {
      const { content, tags, metadata } = { ...subject, ...verdict.instead };
      const input = toJson({
        ...write.input,
        ...('content' in write.input ? { content } : {}),
        ...('tags' in write.input ? { tags } : {}),
        ...('metadata' in write.input ? { metadata } : {}),
      });
      const { category, origin } = subject;
      id = await quarantine.keep(
        { agent, user: viewer.user ?? null, verb, input, content, category, origin, reasons },
        event,
      );
    }
    if (!mayKnowWhy(caller)) return new KeepsakeError('BLOCKED', 'This text was refused and not stored.');
    return new KeepsakeError('BLOCKED', `This text was not stored: ${reasons.join(', ')}.`, {
      ...(id === undefined
        ? {}
        : { hint: `If it is harmless, let it through with "keepsake guard release ${id}".` }),
      details: { reasons, ...defined({ quarantineId: id }) },
    });
  }

  async #inspect(subject: GuardSubject): Promise<Verdict> {
    const { guard } = this.#parts;
    return guard.inspectInTurns === undefined ? guard.inspect(subject) : guard.inspectInTurns(subject);
  }

  async #wasSoBefore(verdict: Verdict, { subject, before }: JudgedWrite): Promise<boolean> {
    if (before === undefined || before.content !== subject.content) return false;
    const earlier = await this.#inspect(before);
    return !earlier.allowed && verdict.reasons.every((reason) => earlier.reasons.includes(reason));
  }
}

/** Surfaces behind which a model may sit. What the guard looks for would tell it how to get past. */
const FOR_MODELS: readonly Via[] = ['tool', 'mcp', 'extractor', 'http'];

/** A person, or a program of the owner. */
function mayKnowWhy({ viewer, via, isOwner }: Caller): boolean {
  return isOwner === true || viewer.role === 'admin' || !FOR_MODELS.includes(via);
}

/** Inputs are checked to be JSON, but for keys that are there and undefined. */
function toJson(input: object): JsonObject {
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}
