/** Runs the operations of a conversation one after the other, and writes waiting additions together. */

interface Pending<In, Out> {
  readonly item: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (reason: unknown) => void;
}

export class WriteQueue<In, Out> {
  readonly #write: (items: readonly In[]) => Promise<readonly Out[]>;
  #tail: Promise<unknown> = Promise.resolve();
  /** The batch that still takes items; undefined when the next item begins a new one. */
  #open: Pending<In, Out>[] | undefined;

  /** `write` handles a whole batch, all or nothing. */
  constructor(write: (items: readonly In[]) => Promise<readonly Out[]>) {
    this.#write = write;
  }

  /** Adds an item to the batch that waits; resolves once it is written. */
  add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      if (this.#open === undefined) {
        const batch: Pending<In, Out>[] = [];
        this.#open = batch;
        void this.#after(() => this.#flush(batch));
      }
      this.#open.push({ item, resolve, reject });
    });
  }

  /** Runs work after everything that was asked for before, and before what is added from now on. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#open = undefined;
    return this.#after(work);
  }

  /** Resolves when everything that was asked for until now, and `then`, is done; what is added meanwhile may still join its batch. */
  async settled(then: () => Promise<void> = async () => {}): Promise<void> {
    await this.#after(then);
  }

  /** A failure does not stop the work behind it. */
  #after<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => {});
    return result;
  }

  async #flush(batch: readonly Pending<In, Out>[]): Promise<void> {
    if (this.#open === batch) this.#open = undefined;
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
