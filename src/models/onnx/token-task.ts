/** In the worker: a vector for each token of a text, read together with what stands around it. */
import { readFileSync } from 'node:fs';
import type { TextInPlace } from '../../ports/token-model.ts';
import type { Answering } from './embed-task.ts';
import { type Projection, readProjection } from './projection.ts';
import type { TokenSettings, TokenTask } from './protocol.ts';
import type { Encode } from './runtime.ts';
import type { WordPiece } from './word-piece.ts';

/** Tokens of earlier texts and of the next one that are read with a passage. Without them the gain is gone (0043). */
const [BEFORE, AFTER] = [96, 48];
/** Of texts around: more characters than so many tokens have. */
const [BEFORE_CHARACTERS, AFTER_CHARACTERS] = [1_500, 750];
/** What follows in a longer text is not read: ten passages. */
const MAX_TOKENS = 1_920;
const MARKS = 2;

const LETTER = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** Of a long text, so many characters tell its script. */
const LOOKED_AT = 2_000;

/** The model was trained on English; of other scripts it knows letters, and no meaning. */
function isReadable(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return 2 * (start.match(LATIN)?.length ?? 0) >= (start.match(LETTER)?.length ?? 0);
}

export function tokenizing(settings: TokenSettings, encode: Encode, wordPiece: WordPiece): Answering {
  const projection = readProjection(readFileSync(settings.projection), settings.dimensions);
  const read = reader(settings, { encode, wordPiece, projection });
  return async (task) => {
    const made: Int8Array[] = [];
    for (const text of (task as TokenTask).texts) made.push(await read(text));
    return made;
  };
}

interface Parts {
  readonly encode: Encode;
  readonly wordPiece: WordPiece;
  readonly projection: Projection;
}

function reader({ passage, dimensions }: TokenSettings, { encode, wordPiece, projection }: Parts) {
  const piecesOf = (text: string, most: number): number[] =>
    wordPiece.encode(text, most + MARKS).slice(1, -1);
  const [begin, end] = wordPiece.encode('', MARKS) as [number, number];
  return async ({ text, before, after, mostPassages = Infinity }: TextInPlace): Promise<Int8Array> => {
    const own = piecesOf(text, Math.min(MAX_TOKENS, mostPassages * passage));
    // Nothing that the model knows: any vectors would be as close to one question as to another.
    if (own.every((piece) => piece === wordPiece.unknown) || !isReadable(text)) return new Int8Array(0);
    const earlier = before.flatMap((each) => piecesOf(each.slice(-BEFORE_CHARACTERS), BEFORE_CHARACTERS));
    const next = after === undefined ? [] : piecesOf(after.slice(0, AFTER_CHARACTERS), AFTER);
    const all = [...earlier.slice(-BEFORE), ...own, ...next];
    const first = Math.min(BEFORE, earlier.length);
    const vectors = new Int8Array(own.length * dimensions);
    for (let start = 0; start < own.length; start += passage) {
      const [from, to] = [first + start, first + Math.min(own.length, start + passage)];
      const window = all.slice(Math.max(0, from - BEFORE), to + AFTER);
      const rows = await encode([begin, ...window, end]);
      const skipped = 1 + from - Math.max(0, from - BEFORE);
      projection.project(rows, skipped, to - from, vectors.subarray(start * dimensions));
    }
    return vectors;
  };
}
