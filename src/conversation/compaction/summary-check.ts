/** Refuses summaries that would throw a conversation away: empty ones, and ones too short for what they replace. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** Marks the one System message that represents everything before it. */
export const SUMMARY_MARK = '[Compressed Memory Summary]';

/** A person who compacts by hand may be brief, but not silent. */
const SHORTEST_BY_HAND = 10;
/** A model that answers a long transcript with "Sure!" has not summarised it. */
const SHORTEST_BY_MODEL = 40;
const SHARE_OF_TRANSCRIPT = 0.005;
const SHORTEST_NEEDED = 400;

export function checkSummary(summary: unknown, transcriptLength: number, by: 'hand' | 'model'): string {
  const given = typeof summary === 'string' ? summary.toWellFormed().trim() : '';
  // A model that was shown an earlier summary may repeat its mark.
  const text = given.startsWith(SUMMARY_MARK) ? given.slice(SUMMARY_MARK.length).trim() : given;
  const byModel = Math.min(
    SHORTEST_NEEDED,
    Math.max(SHORTEST_BY_MODEL, transcriptLength * SHARE_OF_TRANSCRIPT),
  );
  // A short conversation may have a short summary.
  const least =
    by === 'hand' ? SHORTEST_BY_HAND : Math.min(byModel, Math.max(SHORTEST_BY_HAND, transcriptLength / 4));
  if (text.length >= least) return text;
  const problem =
    text === '' ? 'is empty' : `has ${text.length} characters for a transcript of ${transcriptLength}`;
  throw new KeepsakeError('INVALID_INPUT', `The conversation was not compacted: its summary ${problem}.`, {
    hint: 'Nothing was changed. Give a summary that says what must not be forgotten.',
    details: { summaryLength: text.length, transcriptLength },
  });
}
