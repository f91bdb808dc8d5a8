/** The speech prior: which lines of a conversation are likely to contain facts about the person in the question. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { authorOf } from './author.ts';
import { isQuestion } from './context-evidence.ts';
import { speakerOf } from './lines.ts';

/** For a line of somebody whom the question names. */
const NAMED = Math.exp(0.3);
/** For a line that ends with a question mark. */
const ASKS = Math.exp(-0.1);
/** A line in which every fifth word is "you" loses so much; more of them make no difference. */
const ABOUT_THE_OTHER = Math.exp(-0.2);
const MOST_OF_THE_OTHER = 0.2;
/** How much a long line gains, as a power of its length… */
const LENGTH = 0.15;
/** …which is 1 for a line of so many words, and grows up to so many. */
const [TYPICAL_WORDS, MOST_WORDS] = [20, 60];
/** More of a line is not read. */
const MOST_CHARACTERS = 1_000;

const WORD = /[\p{L}\p{N}]+/gu;
const SECOND_PERSON = /\b[Yy]ou(?:rs?|['’]\w+)?\b/g;

interface Line {
  /** The first word of the name of who speaks. */
  readonly speaker: string;
  /** What its form makes of it, whoever is asked about. */
  readonly form: number;
}

/** Records come up again and again, and a store hands out the same ones. */
const lines = new WeakMap<MemoryRecord, Line | null>();

/** Null for what is not a line of a conversation between people. Users and assistants have their own rule (`author.ts`). */
function lineOf(record: MemoryRecord): Line | null {
  let known = lines.get(record);
  if (known === undefined) {
    known = readLine(record);
    lines.set(record, known);
  }
  return known;
}

function readLine(record: MemoryRecord): Line | null {
  const speaker = record.source === 'knowledge' ? undefined : speakerOf(record.content);
  if (speaker === undefined || authorOf(record) !== undefined) return null;
  const text = record.content.slice(0, MOST_CHARACTERS);
  const words = Math.max(1, text.match(WORD)?.length ?? 0);
  const ofTheOther = Math.min(MOST_OF_THE_OTHER, (text.match(SECOND_PERSON)?.length ?? 0) / words);
  const form =
    (isQuestion(text) ? ASKS : 1) *
    ABOUT_THE_OTHER ** (ofTheOther / MOST_OF_THE_OTHER) *
    ((1 + Math.min(MOST_WORDS, words)) / (1 + TYPICAL_WORDS)) ** LENGTH;
  return { speaker: speaker.split(/\s/)[0]!, form };
}

/** What each record gains or loses as a line of a conversation, in their order; 1 where no two speak by turns. */
export function speechBoosts(records: readonly MemoryRecord[], query: string): number[] {
  const found = records.map(lineOf);
  const spoken = found.flatMap((line) => line?.speaker ?? []);
  // "Note: …" twice is not a conversation, and neither is a list of "Name: …", "Town: …".
  const voices = new Set(spoken).size;
  if (voices < 2 || voices === spoken.length) return records.map(() => 1);
  const named = new Set(query.slice(0, MOST_CHARACTERS).toLowerCase().match(WORD));
  return found.map((line) => (line === null ? 1 : line.form * (named.has(line.speaker) ? NAMED : 1)));
}
