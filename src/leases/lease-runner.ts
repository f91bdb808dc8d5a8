/** Leases: lets one process at a time do a piece of background work; a lease is renewed while the work runs and expires with its holder. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Lease, LeaseStore } from '../ports/lease-store.ts';

export interface HeldLease {
  /** What the last holder wrote down. */
  readonly note: string | null;
  /** Aborted when the right is lost, because this process stood still or the store could not be reached for too long. */
  readonly signal: AbortSignal;
  /** Writes down what the next holder has to know. Throws when the right was lost. */
  write(note: string, keepUntil?: number): Promise<void>;
}

export interface LeaseRunnerParts {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  /** Of this process, and nobody else's. */
  readonly owner: string;
}

/** A process that dies keeps others waiting for so long; clocks of machines may differ by much less. */
const SPAN_MS = 30_000;
const RENEWALS_PER_SPAN = 5;
const LOOK_MS = 500;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

export class LeaseRunner {
  readonly #parts: LeaseRunnerParts;
  /** What this process does already: its own lease would let it in a second time. */
  readonly #held = new Set<string>();

  constructor(parts: LeaseRunnerParts) {
    this.#parts = parts;
  }

  /** Those who hold something now or have left a note. */
  list(prefix: string): Promise<readonly Lease[]> {
    return this.#parts.leases.list(prefix);
  }

  /** Gives back what a process held that is known to have ended, so that nobody waits until its time is over. */
  releaseOf(owner: string, name: string): Promise<boolean> {
    return this.#parts.leases.release(name, owner);
  }

  /** Does the work if nobody else does it just now; undefined when somebody does. */
  async attempt<T>(
    name: string,
    work: (held: HeldLease) => Promise<T>,
    { spanMs = SPAN_MS }: { readonly spanMs?: number } = {},
  ): Promise<{ readonly value: T } | undefined> {
    if (this.#held.has(name)) return undefined;
    this.#held.add(name);
    try {
      const lease = await this.#take(name, spanMs);
      return lease === null ? undefined : { value: await this.#hold(lease, spanMs, work) };
    } finally {
      this.#held.delete(name);
    }
  }

  /** Does the work as soon as nobody else does it. */
  async wait<T>(name: string, work: (held: HeldLease) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      const done = await this.attempt(name, work);
      if (done !== undefined) return done.value;
      await sleep(LOOK_MS, undefined, defined({ signal }));
    }
  }

  #take(name: string, spanMs: number): Promise<Lease | null> {
    const now = this.#parts.clock.now();
    return this.#parts.leases.take(name, { owner: this.#parts.owner, now, until: now + spanMs });
  }

  async #hold<T>(lease: Lease, spanMs: number, work: (held: HeldLease) => Promise<T>): Promise<T> {
    const { name } = lease;
    const { leases, clock, owner } = this.#parts;
    const lost = new AbortController();
    let until = lease.expiresAt;
    const renew = async (): Promise<void> => {
      const renewed = await this.#take(name, spanMs).catch(() => undefined);
      if (renewed) until = renewed.expiresAt;
      // A store that does not answer leaves what was lent until its time is over.
      else if (renewed === null || clock.now() >= until) lost.abort(lostLease(name));
    };
    let lastRenewal: Promise<void> | undefined;
    const renewAgain = () => {
      lastRenewal = renew();
    };
    const renewing = setInterval(renewAgain, spanMs / RENEWALS_PER_SPAN).unref();
    try {
      return await work({
        note: lease.note,
        signal: lost.signal,
        write: async (note, keepUntil = FOR_EVER) => {
          if (!(await leases.note(name, { owner, note, keepUntil }))) throw lostLease(name);
        },
      });
    } finally {
      clearInterval(renewing);
      // One that is under way would take back what was given back.
      await lastRenewal;
      // What cannot be given back falls to the next one when its time is over.
      await leases.release(name, owner).catch(() => false);
    }
  }
}

function lostLease(name: string): KeepsakeError {
  return new KeepsakeError('CONFLICT', `Another process has taken over "${name}".`, {
    hint: 'This process was stopped for too long, or its clock is wrong; the other one continues.',
  });
}
