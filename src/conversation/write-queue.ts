/** One thing after the other, in the order they were asked for; a failure does not stop the ones behind it. */

export class Queue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => {});
    return result;
  }
}
