/** Groups conversation lines that were stored without a thread ("Anna: …", "user: …"). */
import { HOUR } from '../../kernel/clock.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Neighbours } from '../../ports/record-store.ts';

/** A date in brackets or in digits may stand before the name of who speaks. All repeats are bounded: texts are anybody's. */
const LINE =
  /^\s{0,4}(?:[([][^)\]\n]{1,60}[)\]]\s{0,4})?(?:\d[\d\s:/.,TZ+-]{3,30}(?:[-–|]\s{0,2})?)?(\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,39}?)(?::\s+|：\s*)\S/u;
/** More of a text than this holds no name that it begins with. */
const OPENING = 200;
/** "Please keep the following in mind: …" is no name. */
const MOST_WORDS = 3;
/** What was said on another day is another conversation. */
const SAME_TALK = 6 * HOUR;

/** Who speaks, if a text reads like a line of a conversation. */
export function speakerOf(content: string): string | undefined {
  const name = LINE.exec(content.slice(0, OPENING))?.[1];
  return name === undefined || name.split(/\s+/).length > MOST_WORDS ? undefined : name.toLowerCase();
}

/** Those beside a line that belong to the same conversation: lines without a gap, of at least two who speak by turns. */
export function linesBeside(record: MemoryRecord, { before, after }: Neighbours): Neighbours {
  const own = speakerOf(record.content);
  if (own === undefined) return { before: [], after: [] };
  const speakers = [own];
  const joined = (others: readonly MemoryRecord[]): MemoryRecord[] => {
    const lines: MemoryRecord[] = [];
    let last = record;
    for (const other of others) {
      const speaker = speakerOf(other.content);
      if (speaker === undefined || Math.abs(other.createdAt - last.createdAt) > SAME_TALK) break;
      speakers.push(speaker);
      lines.push(other);
      last = other;
    }
    return lines;
  };
  const lines = { before: joined(before), after: joined(after) };
  // "Note: …" twice is no conversation, and neither is a list of "Name: …", "Town: …".
  const voices = new Set(speakers).size;
  return voices > 1 && voices < speakers.length ? lines : { before: [], after: [] };
}
