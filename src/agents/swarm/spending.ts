/** Writes the usage of a run into its record, one write at a time. */
import type { RunUsage } from '../../ports/run-store.ts';

export class Spending {
  readonly #write: (usage: RunUsage) => Promise<unknown>;
  readonly #usage: () => RunUsage;
  #isBehind = false;
  #writing: Promise<void> | undefined;

  constructor(usage: () => RunUsage, write: (usage: RunUsage) => Promise<unknown>) {
    this.#usage = usage;
    this.#write = write;
  }

  /** Something was spent. */
  note(): void {
    this.#isBehind = true;
    this.#writing ??= this.#writeAll();
  }

  /** A store that was unavailable is asked again. */
  retry(): void {
    if (this.#isBehind) this.note();
  }

  /** When everything that was spent until now is written, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#isBehind) {
        this.#isBehind = false;
        await this.#write(this.#usage());
      }
    } catch {
      this.#isBehind = true;
    } finally {
      this.#writing = undefined;
    }
  }
}
