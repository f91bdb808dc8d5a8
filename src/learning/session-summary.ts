/** The summary of a session as a record. It also marks the session as reviewed, up to the turn that it covers. */
import type { Caller } from '../kernel/caller.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { RecordService } from '../records/index.ts';
import { keyOf } from './applying.ts';
import { type JunkReason, junkReason } from './junk.ts';
import { LESSONS, type Lessons } from './proposal.ts';

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

const threadOf = (session: string): string => `session:${session}`.slice(0, 128);

export async function earlierSummaries(
  records: RecordService,
  session: string,
  caller: Caller,
): Promise<readonly MemoryRecord[]> {
  return records.list({ source: 'session_summary', thread: threadOf(session), state: 'any' }, caller);
}

/** Whether a session was reviewed up to this turn. */
export function isCovered(summaries: readonly MemoryRecord[], turns: number): boolean {
  return summaries.some(({ metadata }) => Number(metadata.turns) >= turns);
}

export interface SummaryParts {
  readonly records: RecordService;
  readonly caller: Caller;
  readonly session: string;
  readonly turns: number;
  readonly earlier: readonly MemoryRecord[];
  readonly metadata: JsonObject;
}

export async function storeSummary(content: string, parts: SummaryParts): Promise<string> {
  const { records, caller, session, turns, earlier, metadata } = parts;
  const previous = earlier.find(({ state }) => state === 'live');
  const { id } = await records.add(
    {
      content,
      category: 'session_summary',
      source: 'session_summary',
      origin: 'agent',
      confidence: CONFIDENCE,
      thread: threadOf(session),
      metadata: { ...metadata, turns },
      // Whatever its words: a summary that was forgotten must not come back in others.
      idempotencyKey: keyOf(session, 'summary', String(turns)),
      ...(previous === undefined ? {} : { supersedes: previous.id }),
    },
    caller,
  );
  return id;
}
