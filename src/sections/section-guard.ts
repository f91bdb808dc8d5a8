/** Has every text judged before it becomes part of a section; what is blocked is told to observers and stored nowhere. */
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventHub } from '../kernel/events.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Guard, Verdict } from '../ports/guard.ts';

/** Stands where a record has its category. */
const CATEGORY = 'section';

export interface SectionGuardParts {
  readonly guard: Guard;
  readonly events: EventStore;
  readonly hub: EventHub;
  readonly clock: Clock;
}

export class SectionGuard {
  readonly #parts: SectionGuardParts;

  constructor(parts: SectionGuardParts) {
    this.#parts = parts;
  }

  /** Throws BLOCKED. The name is judged too: it enters the prompt. */
  async check(name: string, content: string, caller: Caller): Promise<void> {
    const verdict = this.#inspect(name, content, caller);
    if (!verdict.allowed) throw await this.#blocked(verdict, caller);
  }

  /** Harmless parts may add up to something else. What was there before is not held against the newcomer. */
  async checkSum(name: string, before: string, after: string, caller: Caller): Promise<void> {
    if (before === '') return;
    const verdict = this.#inspect(name, after, caller);
    if (verdict.allowed || !this.#inspect(name, before, caller).allowed) return;
    throw await this.#blocked(verdict, caller);
  }

  #inspect(name: string, content: string, { via }: Caller): Verdict {
    // A person at the command line writes for himself; all other surfaces carry what an agent wrote.
    const origin = via === 'cli' ? 'user' : 'agent';
    return this.#parts.guard.inspect({ content, category: CATEGORY, tags: [name], origin });
  }

  async #blocked(verdict: Verdict, { viewer, via, session }: Caller): Promise<KeepsakeError> {
    const { events, hub, clock } = this.#parts;
    const reasons = [...verdict.reasons];
    const stored = await events.append([
      {
        type: 'memory.blocked',
        at: clock.now(),
        via,
        ...(viewer.agent === undefined ? {} : { agent: viewer.agent }),
        ...(session === undefined ? {} : { session }),
        reasons,
        category: CATEGORY,
      },
    ]);
    hub.publish(stored);
    return new KeepsakeError('BLOCKED', `This text was not stored: ${reasons.join(', ')}.`, {
      hint: 'If it is harmless, say it in other words.',
      details: { reasons },
    });
  }
}
