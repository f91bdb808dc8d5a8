/** Runs work that many events ask for at a limited pace: the longer it takes, the more rarely it runs. */

/** Rest between two runs, as a multiple of what the last one took. */
const REST = 10;

export interface Paced {
  (): void;
  stop(): void;
}

/**
 * Returns a function that asks for the work. However often it is called, runs never overlap, and the last call is always
 * followed by one; stop() ends it.
 */
export function paced(work: () => unknown, pauseMs: number): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let took = 0;
  let isBusy = false;
  let isAsked = false;
  let isOver = false;

  async function run(): Promise<void> {
    timer = undefined;
    isBusy = true;
    const began = performance.now();
    try {
      await work();
    } finally {
      took = performance.now() - began;
      isBusy = false;
      if (isAsked) ask();
    }
  }

  function ask(): void {
    isAsked = isBusy;
    if (isBusy || isOver || timer !== undefined) return;
    timer = setTimeout(run, Math.max(pauseMs, took * REST));
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
  }
  return Object.assign(ask, { stop });
}
