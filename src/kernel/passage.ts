/** Extracts the passage of a long text that answers a question. */
import { analyze, isTelling } from './analysis.ts';

/** Stands where something was left out. */
const GAP = '[…]';
const BETWEEN = /(?<=\n)|(?<=[.!?。！？])(?=\s)|(?<=[。！？])/u;
const WORD_END = /\s+\S*$/u;

/** At most this many characters, marks included. Without a question it is the beginning. */
export function passageOf(content: string, question: string | undefined, characters: number): string {
  if (content.length <= characters) return content;
  const room = Math.max(40, characters - 2 * (GAP.length + 1));
  const sentences = content.split(BETWEEN).filter((sentence) => sentence.trim() !== '');
  const best = question === undefined ? 0 : bestOf(sentences, question);
  let [from, to] = [best, best + 1];
  let length = sentences[best]!.length;
  // What follows explains a sentence more often than what stands before it.
  for (let grew = true; grew; ) {
    grew = false;
    if (to < sentences.length && length + sentences[to]!.length <= room) {
      length += sentences[to++]!.length;
      grew = true;
    }
    if (from > 0 && length + sentences[from - 1]!.length <= room) {
      length += sentences[--from]!.length;
      grew = true;
    }
  }
  const text = sentences.slice(from, to).join('').trim();
  const whole = text.length <= room;
  const shown = whole ? text : shortened(text, question, room);
  const isBeginning = from === 0 && (whole || text.startsWith(shown));
  const isEnd = to === sentences.length && (whole || text.endsWith(shown));
  return [isBeginning ? '' : GAP, shown, isEnd ? '' : GAP].filter((part) => part !== '').join(' ');
}

/** The sentence with most of the question's words, of which rare ones count more; the first of equals. */
function bestOf(sentences: readonly string[], question: string): number {
  const asked = new Set(analyze(question).filter(isTelling));
  const words = sentences.map((sentence) => new Set(analyze(sentence)));
  const weights = [...asked].map((word) => {
    const places = words.filter((each) => each.has(word)).length;
    return [word, places === 0 ? 0 : 1 / places] as const;
  });
  let best = 0;
  let most = 0;
  for (const [place, each] of words.entries()) {
    const score = weights.reduce((sum, [word, weight]) => sum + (each.has(word) ? weight : 0), 0);
    if (score > most) [best, most] = [place, score];
  }
  return best;
}

/** One sentence that is too long: the words around the first that was asked for. */
function shortened(sentence: string, question: string | undefined, room: number): string {
  const asked = (question ?? '').toLowerCase().match(/[\p{L}\p{N}_-]{4,}/gu) ?? [];
  const lower = sentence.toLowerCase();
  const places = asked.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - Math.floor(room / 3));
  const from = start === 0 ? 0 : start + Math.max(0, sentence.slice(start).search(/\s/u));
  const cut = sentence.slice(from, from + room);
  const isCut = from + room < sentence.length && WORD_END.test(cut);
  return (isCut ? cut.replace(WORD_END, '') : cut).trim().toWellFormed();
}
