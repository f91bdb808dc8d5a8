/** Once a day a server removes what is older than the configured ages; of several servers on one store, one does. */
import type { Engine } from '../../client/index.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import { callVerb } from '../../kernel/verb.ts';
import { verbs } from '../../verbs.ts';
import type { ServerLog } from './watch/index.ts';

const LEASE = 'retention';
/** Soon after the start, for servers that never run a whole day; not at once, when everybody wants to read. */
const AFTER_MS = 5 * MINUTE;
const OWNER = { viewer: { role: 'admin' }, via: 'system', isOwner: true } as const;

/** Returns what stops it. */
export function keepRetention(engine: Engine, log: ServerLog): () => void {
  const { events, receipts, messages, quarantine } = engine.config.retention;
  if ([events, receipts, messages, quarantine].every((age) => age === null)) return () => {};
  const work = async (): Promise<void> => {
    try {
      const done = await engine.leaseRunner.attempt(LEASE, () =>
        callVerb(verbs.retentionApply, engine, {}, OWNER),
      );
      if (done === undefined) return;
      const { dryRun: _, ...layers } = done.value;
      const removed = Object.entries(layers).map(([layer, { removed: count }]) => [layer, count] as const);
      log.add('info', 'retention', Object.fromEntries(removed));
    } catch (error) {
      log.add('error', 'retention.failed', { problem: error instanceof Error ? error.name : typeof error });
    }
  };
  const first = setTimeout(() => void work(), AFTER_MS).unref();
  const daily = setInterval(() => void work(), DAY).unref();
  return () => {
    clearTimeout(first);
    clearInterval(daily);
  };
}
