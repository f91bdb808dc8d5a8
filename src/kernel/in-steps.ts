/** Long work as a generator whose steps say how much they read, so that a thread can do it at once or between other work. */

export type Steps<T> = Generator<number, T>;

/** Some milliseconds of reading. */
const READ_AT_ONCE = 65_536;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same result, but other work of this thread gets a turn in between. What is short is done at once. */
export async function stepByStep<T>(steps: Steps<T>): Promise<T> {
  let read = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    read += step.value;
    if (read < READ_AT_ONCE) continue;
    read = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
