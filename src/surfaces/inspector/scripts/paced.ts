/** Browser script: work that many events ask for is done at a pace, and the slower it is, the more rarely. */
export const PACED_JS = `
/** Rest between two turns, as a multiple of what the last one took. */
const REST = 10;

/**
 * Answers with a function that asks for the work. However often it is called, turns never overlap, and the last call is
 * always followed by one; stop() ends it.
 */
export function paced(work, pauseMs) {
  let timer;
  let took = 0;
  let isBusy = false;
  let isAsked = false;
  let isOver = false;

  async function turn() {
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

  function ask() {
    isAsked = isBusy;
    if (isBusy || isOver || timer !== undefined) return;
    timer = setTimeout(turn, Math.max(pauseMs, took * REST));
  }

  ask.stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  return ask;
}
`;
