/** Rules of the quarantine that every engine shares: new entries, repeated writes, and the limit. */
import type { QuarantineEntry, QuarantineLimits, RefusedWrite } from '../../ports/quarantine-store.ts';

/** A write that was refused for the first time. The same write again only counts. */
export function newEntry(write: RefusedWrite): QuarantineEntry {
  return {
    ...write,
    ...{ state: 'waiting', times: 1, lastAt: write.at },
    ...{ releasedAt: null, releasedBy: null, releasedAs: null },
  };
}

/**
 * What makes two writes the same: the agent, the user, the verb and its input. Null for an entry that was released, whose input is gone:
 * the same write is then a new entry.
 */
export function identityOf({ agent, user, verb, input }: QuarantineEntry): readonly string[] | null {
  if (input === null) return null;
  return [agent, verb, JSON.stringify(input), ...(user === null ? [] : [user])];
}

export function stateOf(releasedAt: number | null): QuarantineEntry['state'] {
  return releasedAt === null ? 'waiting' : 'released';
}

/** How many of the newest entries stay, by their sizes, newest first. The newest stays however large it is. */
export function keptEntries(sizes: readonly number[], { entries, characters }: QuarantineLimits): number {
  let [kept, total] = [0, 0];
  for (const size of sizes) {
    total += size;
    if (kept > 0 && (kept >= entries || total > characters)) return kept;
    kept++;
  }
  return kept;
}
