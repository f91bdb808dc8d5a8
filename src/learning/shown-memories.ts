/** Selects the memories that a review sees; it may change only these. */
import type { Caller } from '../kernel/caller.ts';
import { FACT_SOURCES, type MemoryRecord } from '../kernel/record.ts';
import type { RecordService } from '../records/index.ts';
import type { Said } from './transcript.ts';

const MOST_SHOWN = 40;
const MOST_CHARACTERS = 12_000;
/** The last things said are the likeliest to change something. */
const ASKED_TURNS = 12;
const ASKED_CHARACTERS = 500;
const FOUND_EACH = 6;
/** Lower than for a prompt: to see one memory too many costs a line, to miss one stores a contradiction. */
const LEAST_RELEVANCE = 0.02;

/** What the turns bring to mind, each for itself: a question of a thousand words finds nothing. Standing memory first. */
export async function relatedMemories(
  records: RecordService,
  said: readonly Said[],
  caller: Caller,
): Promise<readonly MemoryRecord[]> {
  const spoken = said.filter(({ speaker }) => speaker !== 'tool').slice(-ASKED_TURNS);
  const { memories } = await records.standing({ limit: MOST_SHOWN, maxChars: MOST_CHARACTERS / 2 }, caller);
  const found = await Promise.all(
    spoken.map(({ text }) => {
      const query = text.slice(0, ASKED_CHARACTERS).toWellFormed();
      return records.search({ query, limit: FOUND_EACH, minRelevance: LEAST_RELEVANCE }, caller);
    }),
  );
  const best = found.flat().sort((a, b) => b.relevance - a.relevance);
  return [...memories, ...best];
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
