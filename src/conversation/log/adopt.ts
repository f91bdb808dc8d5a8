/** Takes transcripts that another system, or a person, left in an agent's folder into the log, where they can be searched. */
import type { LogMessage, LogStore, MessageDraft } from '../../ports/log-store.ts';
import { SUMMARY_MARK } from '../compaction/summary-check.ts';
import { stableIds } from '../formats/stable-ids.ts';
import { keyOfLogged, messageKey } from '../memory-md/block-messages.ts';
import { viewOf } from '../memory-md/memory-file-view.ts';

export interface ForeignTranscripts {
  /** Oldest first. */
  readonly archives: readonly string[];
  /** MEMORY.md; empty when there is none. */
  readonly active: string;
}

export interface Adopted {
  /** How many were added. */
  readonly messages: number;
  /** How many the log had already. */
  readonly known: number;
}

interface ThreadPlace {
  readonly agent: string;
  readonly thread: string;
}

const PAGE = 1_000;

/**
 * Archives go first, so that the log has everything in its order; where the log was empty its view begins after them, as
 * that of the file does. Summaries in archives are left out, because the messages that they represent are there too.
 */
export async function adoptTranscripts(
  log: LogStore,
  place: ThreadPlace,
  { archives, active }: ForeignTranscripts,
): Promise<Adopted> {
  const logged = await everything(log, place);
  const known = Map.groupBy(logged, keyOfLogged);
  const stableId = stableIds('MEMORY.md');
  let knownCount = 0;
  const draftsOf = (text: string): MessageDraft[] =>
    viewOf(text).blocks.flatMap((block) => {
      const key = messageKey(block);
      if (known.get(key)?.pop() !== undefined) {
        knownCount++;
        return [];
      }
      const metadata = isSummaryText(block.text) ? { summary: true } : {};
      const { role, at, text: content } = block;
      return { id: stableId(at, key), ...place, run: null, role, content, metadata, at, text: content };
    });
  // The newest file first: a message that the log has belongs to it rather than to an archive.
  const current = draftsOf(active);
  const earlier = archives
    .toReversed()
    .map(draftsOf)
    .reverse()
    .flat()
    .filter(({ text }) => !isSummaryText(text));
  const archived = earlier.length === 0 ? [] : await log.append(earlier);
  const last = archived.at(-1);
  const isBoundary = logged.length === 0 && last !== undefined;
  const boundary = isBoundary ? { boundary: { ...place, seq: last.seq } } : {};
  if (current.length > 0 || isBoundary) await log.append(current, boundary);
  return { messages: earlier.length + current.length, known: knownCount };
}

function isSummaryText(text: string): boolean {
  return text.startsWith(SUMMARY_MARK);
}

async function everything(log: LogStore, place: ThreadPlace): Promise<readonly LogMessage[]> {
  const found: LogMessage[] = [];
  for (;;) {
    const page = await log.read({ ...place, after: found.at(-1)?.seq ?? 0, limit: PAGE });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}
