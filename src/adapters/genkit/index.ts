/** Keepsake for Genkit: snapshots of sessions, each written atomically: `store: keepsakeSnapshots({ user })`. */
import type { JsonValue } from '../../kernel/json.ts';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';
import { allItems, untilDone } from '../common/pages.ts';

/** The fields of a snapshot that a store reads; all others are kept as they are. */
interface Snapshot {
  snapshotId: string;
  sessionId?: string;
  parentId?: string;
}

/** The `SessionStore` of Genkit. */
export interface KeepsakeGenkitSessions {
  // biome-ignore lint/suspicious/noExplicitAny: a snapshot holds the state type of its agent.
  getSnapshot(options: { snapshotId?: string; sessionId?: string }): Promise<any>;
  saveSnapshot(
    snapshotId: string | undefined,
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    mutator: (current: any) => any,
  ): Promise<string | null>;
}

const SNAPSHOTS = ['genkit', 'snapshots'];
const sessionPlace = (id: string): string[] => ['genkit', 'sessions', id];

export function keepsakeSnapshots(
  whose: Omit<WhoseMemory, 'thread'> & WhichStore = {},
): KeepsakeGenkitSessions {
  checkOptions('keepsakeSnapshots', whose, OWNER_OPTIONS);
  const { items } = memoryOf(whose);
  const find = async (id: string) => (await items.get(SNAPSHOTS, [id]))[0];
  return {
    getSnapshot: async ({ snapshotId, sessionId }) => {
      const id = snapshotId ?? (sessionId === undefined ? undefined : await latest(sessionId));
      return id === undefined ? undefined : (await find(id))?.value;
    },

    saveSnapshot: (snapshotId, mutator) =>
      untilDone(async () => {
        const known = snapshotId === undefined ? undefined : await find(snapshotId);
        const next = mutator(known?.value) as (Partial<Snapshot> & { state?: { sessionId?: string } }) | null;
        if (next === null) return null;
        const id = snapshotId ?? next.snapshotId ?? crypto.randomUUID();
        // As JSON holds it: what is undefined is left out.
        const value = JSON.parse(JSON.stringify({ ...next, snapshotId: id })) as JsonValue;
        const session = next.sessionId ?? next.state?.sessionId;
        const parent = next.parentId ?? null;
        await items.write([
          { op: 'put', namespace: SNAPSHOTS, key: id, value, ifRevision: known?.revision ?? null },
          ...(session === undefined
            ? []
            : [{ op: 'put', namespace: sessionPlace(session), key: id, value: parent } as const]),
        ]);
        return id;
      }),
  };

  /** The newest snapshot that is nobody's parent. */
  async function latest(sessionId: string): Promise<string | undefined> {
    const all = await allItems(items, sessionPlace(sessionId));
    const parents = new Set(all.map(({ value }) => value));
    return all.findLast(({ key }) => !parents.has(key))?.key;
  }
}
