/** Gathers what is asked for while the one before is being written, so that many writes cost one. */

interface Pending<In, Out> {
  readonly item: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (reason: unknown) => void;
}

export class Batcher<In, Out> {
  /** The batch that still takes items; undefined when the next item begins a new one. */
  #open: Pending<In, Out>[] | undefined;
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
      if (this.#open === undefined) {
        const batch: Pending<In, Out>[] = [];
        this.#open = batch;
        this.#schedule(() => this.#flush(batch));
      }
      this.#open.push({ item, resolve, reject });
    });
  }

  /** What is added from now on comes after whatever is scheduled next. */
  seal(): void {
    this.#open = undefined;
  }

  async #flush(batch: readonly Pending<In, Out>[]): Promise<void> {
    if (this.#open === batch) this.seal();
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
