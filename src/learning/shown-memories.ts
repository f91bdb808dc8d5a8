/** The memories that a review is shown: the only ones that it may change. */
import type { Caller } from '../kernel/caller.ts';
import { FACT_SOURCES, type MemoryRecord } from '../kernel/record.ts';
import type { RecordService } from '../records/index.ts';
import type { Said } from './transcript.ts';

const MOST_SHOWN = 40;
const MOST_CHARACTERS = 12_000;
/** The last thing said is the likeliest to change something. */
const ASKED_CHARACTERS = 4_000;

/** What the words of the session bring to mind. */
export async function relatedMemories(
  records: RecordService,
  said: readonly Said[],
  caller: Caller,
): Promise<readonly MemoryRecord[]> {
  const spoken = said.filter(({ speaker }) => speaker !== 'tool').map(({ text }) => text);
  const task = spoken.join('\n').slice(-ASKED_CHARACTERS).toWellFormed();
  const { standing, relevant } = await records.recall(
    { task, limit: MOST_SHOWN, maxChars: MOST_CHARACTERS },
    caller,
  );
  return [...standing, ...relevant];
}

/** Live facts of the agent's own, by id, as many as a prompt can bear. */
export function showable(
  memories: readonly MemoryRecord[],
  agent: string | undefined,
): ReadonlyMap<string, MemoryRecord> {
  const shown = new Map<string, MemoryRecord>();
  let left = MOST_CHARACTERS;
  for (const memory of memories) {
    const isFact = FACT_SOURCES.includes(memory.source) && memory.state === 'live';
    if (!isFact || memory.agent !== agent || memory.content.length > left) continue;
    if (shown.size >= MOST_SHOWN) break;
    shown.set(memory.id, memory);
    left -= memory.content.length;
  }
  return shown;
}
