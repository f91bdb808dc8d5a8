/** Lines on which a small change cannot be observed from outside; nothing is planted there. Each with its reason. */

export interface EquivalentLine {
  readonly file: string;
  /** A part of the line, which tells it from the others of the file. */
  readonly code: string;
  readonly reason: string;
}

const ONCE_MORE = 'a cache: without it, or filled once more, the same is worked out again';
const BATCH = 'how much goes together, not what';
const NOTHING = 'a short cut: the long way comes to the same';

export const EQUIVALENT: readonly EquivalentLine[] = [
  { file: 'src/conversation/message-search.ts', code: 'known.set(unit, folded)', reason: ONCE_MORE },
  { file: 'src/context/clock-line.ts', code: 'formats.set(timeZone, format)', reason: ONCE_MORE },
  { file: 'src/context/said-already.ts', code: 'if (this.#texts.length > 0)', reason: NOTHING },
  { file: 'src/guard/normalise.ts', code: 'if (ASCII.test(text))', reason: NOTHING },
  { file: 'src/transfer/archive/import.ts', code: '.length >= BATCH)', reason: BATCH },
  {
    file: 'src/transfer/archive/write-archive.ts',
    code: 'createGzip({ level: 6 })',
    reason: 'how small, not what',
  },
  { file: 'src/working/runs/run-events.ts', code: 'if (drafts.length === 0) return;', reason: NOTHING },
];
