/** What the first search of a process reads and later ones have at hand is read before anybody waits for it. */
import type { Engine } from '../../client/index.ts';

/** A process that lives so long is taken for one that goes on; before, a search would leave nothing in memory. */
const AFTER_MS = 1_500;
/** A word that hardly any memory has: the index of words is opened, and little of it read. */
const QUESTION = { query: 'keepsake', limit: 1 };

/** Begins soon, in the background. Returns what ends it, and waits for what was begun. */
export function warmUp({ records }: Pick<Engine, 'records'>): () => Promise<unknown> {
  let asked: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // Whoever searches will be told what is wrong.
    asked = records.search(QUESTION, { viewer: { role: 'admin' }, via: 'system' }).catch(() => {});
  }, AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    return asked ?? Promise.resolve();
  };
}
