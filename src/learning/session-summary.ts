/** The summary of a session as a record. It also marks the session as reviewed, up to the turn that it covers. */
import type { Caller } from '../kernel/caller.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { RecordService } from '../records/index.ts';
import { keyOf } from './applying.ts';
import { type JunkReason, junkReason } from './junk.ts';
import { LESSONS, type Lessons } from './proposal.ts';
import { renewedExpiry } from './renewal.ts';

/** The model's own digest, not the user's word. */
const CONFIDENCE = 0.8;
/** A lesson may tell of a state or of a question; these it may not hold. */
const KEPT_OUT: readonly (JunkReason | undefined)[] = [
  'secret',
  'injected text',
  'greeting or thanks',
  'says nothing',
];

/** Empty when the session taught nothing. */
export function summaryText(lessons: Lessons): string {
  const parts = Object.entries(LESSONS).flatMap(([name, heading]) => {
    const lines = lessons[name as keyof Lessons].filter((line) => !KEPT_OUT.includes(junkReason(line, [])));
    return lines.length === 0 ? [] : [`${heading}:\n${lines.map((line) => `- ${line}`).join('\n')}`];
  });
  return parts.join('\n');
}

/** Runs that repeat by themselves share one summary: the last one tells enough. */
const AUTOMATIC = 'session:automatic';

const threadOf = ({ session, isAutomatic }: Reviewed): string =>
  isAutomatic ? AUTOMATIC : `session:${session}`.slice(0, 128);

/** The session that a summary is about. */
export interface Reviewed {
  readonly session: string;
  readonly isAutomatic: boolean;
}

export async function earlierSummaries(
  records: RecordService,
  reviewed: Reviewed,
  caller: Caller,
): Promise<readonly MemoryRecord[]> {
  return records.list({ source: 'session_summary', thread: threadOf(reviewed), state: 'any' }, caller);
}

/** Whether a session was reviewed up to this turn. */
export function isCovered(summaries: readonly MemoryRecord[], session: string, turns: number): boolean {
  return summaries.some(({ metadata }) => metadata.session === session && Number(metadata.turns) >= turns);
}

export interface SummaryParts extends Reviewed {
  readonly records: RecordService;
  readonly caller: Caller;
  readonly now: number;
  readonly turns: number;
  readonly earlier: readonly MemoryRecord[];
  readonly metadata: JsonObject;
}

export async function storeSummary(content: string, parts: SummaryParts): Promise<string> {
  const { records, caller, session, isAutomatic, turns, earlier, now } = parts;
  const previous = earlier.find(({ state }) => state === 'live');
  const metadata = { ...parts.metadata, turns, ...(isAutomatic ? { lastRun: now } : {}) };
  if (isAutomatic && previous !== undefined) {
    const expiresAt = renewedExpiry(previous, now);
    return (await records.update({ id: previous.id, content, metadata, expiresAt, origin: 'agent' }, caller))
      .id;
  }
  const { id } = await records.add(
    {
      content,
      metadata,
      category: 'session_summary',
      source: 'session_summary',
      origin: 'agent',
      confidence: CONFIDENCE,
      thread: threadOf(parts),
      // Whatever its words: a summary that was forgotten must not come back in others.
      idempotencyKey: keyOf(session, 'summary', String(turns)),
      ...(previous === undefined ? {} : { supersedes: previous.id }),
    },
    caller,
  );
  return id;
}
