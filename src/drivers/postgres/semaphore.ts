/** A semaphore that limits concurrent work; others wait in order. */

export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves to the way out, which must be taken once. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    return () => {
      const next = this.#line.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
