/** Stores the receipt of each prompt as an event, and counts the memories that were in it. */
import { type Assembled, type Receipt, shownId } from '../context/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { SessionEvents } from './session-events.ts';

export interface ReceiptServices {
  readonly events: SessionEvents;
  readonly records: Pick<RecordStore, 'countAccess'>;
  readonly clock: Clock;
  readonly shown: ShownMemories;
  /** Whether recalled memory is reported and counted. */
  readonly memory: { readonly recalls: boolean; readonly counts: boolean };
}

/** What the prompts of a session showed: a model may name a memory by the short id that it saw there. */
export class ShownMemories {
  /** Newest first. */
  readonly #receipts: Receipt[] = [];

  add(receipt: Receipt): void {
    this.#receipts.unshift(receipt);
  }

  /** The whole id of the memory; a name that was not shown stays as it is. */
  fullId(named: string): string {
    const found = this.#receipts.map((receipt) => shownId(receipt, named));
    return found.find((id) => id !== undefined) ?? named;
  }
}

export class PromptReceipts {
  readonly #services: ReceiptServices;
  #last: Promise<void> = Promise.resolve();

  constructor(services: ReceiptServices) {
    this.#services = services;
  }

  /** Begins to store the receipt of a prompt; the model need not wait for it. */
  keep(assembled: Assembled, loop: number, task?: string): void {
    if (loop === 1) this.#services.shown.add(assembled.receipt);
    this.#last = this.#store(assembled, loop, task);
    // Thrown by settled().
    this.#last.catch(() => {});
  }

  /** Resolves when the last receipt is stored, and rejects when it could not be. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Side by side, so that the store commits them together. */
  async #store({ receipt, recalled }: Assembled, loop: number, task?: string): Promise<void> {
    const { events, records, clock, memory } = this.#services;
    const told = receipt as unknown as JsonObject;
    const kept = { type: 'session.receipt', loop, receipt: told, ...defined({ task }) } as const;
    if (loop > 1 || !memory.recalls) return events.emit(kept);
    const ids = memory.counts ? receipt.memories.map(({ id }) => id) : [];
    const counted = records.countAccess(ids, 'injection', clock.now());
    await Promise.all([counted, events.emit({ type: 'memory.recalled', ...recalled }, kept)]);
  }
}
