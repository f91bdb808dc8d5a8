/** Gathers what is asked for while the one before is being written, so that many writes cost one. */

interface Pending<In, Out> {
  readonly item: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (reason: unknown) => void;
}

export class Batcher<In, Out> {
  #pending: Pending<In, Out>[] = [];
  readonly #schedule: (flush: () => Promise<void>) => void;
  readonly #write: (items: readonly In[]) => Promise<readonly Out[]>;

  /** `schedule` runs a flush when its turn comes; `write` handles a whole batch, all or nothing. */
  constructor(
    schedule: (flush: () => Promise<void>) => void,
    write: (items: readonly In[]) => Promise<readonly Out[]>,
  ) {
    this.#schedule = schedule;
    this.#write = write;
  }

  add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      if (this.#pending.length === 1) this.#schedule(() => this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => {
        resolve(results[i]!);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
