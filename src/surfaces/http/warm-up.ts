/** Work after the start of a server: warms caches, and removes temporary files of dead processes. */
import { sweepLeftovers } from '../../administration/examine-leftovers.ts';
import type { Engine } from '../../client/index.ts';

/** A process that lives so long is taken for one that continues; before, a search would leave nothing in memory. */
const AFTER_MS = 1_500;
/** A word that hardly any memory has: the index of words is opened, and little of it read. */
const QUESTION = { query: 'keepsake', limit: 1 };

/** Begins soon, in the background. Returns what ends it, and waits for what was begun. */
export function warmUp({ records, paths }: Pick<Engine, 'records' | 'paths'>): () => Promise<unknown> {
  let asked: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // Whoever searches will be told what is wrong.
    const searched = records.search(QUESTION, { viewer: { role: 'admin' }, via: 'system' }).catch(() => {});
    // What cannot be removed is named by doctor.
    const swept = sweepLeftovers({ root: paths.root, paths }).catch(() => {});
    asked = Promise.all([searched, swept]);
  }, AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    return asked ?? Promise.resolve();
  };
}
