/** Where each piece of a vocabulary begins, and where it is found by its hash: made of the text, or read from a file of it. */

/** Before a piece that continues a word. */
export const MARK = '##';
const HASH_SIGN = 35;
const LINE_END = 10;
/** Pieces that continue a word and pieces that begin one may have the same letters. */
export const FIRST_SEED = 0x811c9dc5 | 0;
export const LATER_SEED = 0x01000193;

export const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** The low bits of such a hash depend on the last letters most. */
export const spread = (hash: number): number => hash ^ (hash >>> 15);

export interface PieceIndex {
  /** Where each piece begins in the text; a last one represents its end. */
  readonly starts: Int32Array;
  /** By row. */
  readonly hashes: Int32Array;
  /** Row numbers plus one, by hash; a piece whose place is taken stands in the next free one. */
  readonly slots: Int32Array;
  readonly longest: number;
}

/** Whether the piece that begins here, and has more than the mark, continues a word. */
export function isContinuation(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== HASH_SIGN || text.charCodeAt(start + 1) !== HASH_SIGN) return false;
  const next = start + MARK.length;
  return next < text.length && text.charCodeAt(next) !== LINE_END;
}

/** Plain loops over one text: to cut it into pieces first would take as long again, most of it to clear away what was cut. */
export function indexPieces(text: string): PieceIndex {
  // Room for the worst, of which no page is touched that is not needed.
  const [starts, hashes] = [new Int32Array(text.length + 2), new Int32Array(text.length + 1)];
  let count = 0;
  let longest = 0;
  for (let at = 0; at <= text.length; at++) {
    const start = at;
    const continues = isContinuation(text, start);
    if (continues) at += MARK.length;
    const first = at;
    let hash = continues ? LATER_SEED : FIRST_SEED;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE_END) break;
      hash = step(hash, code);
    }
    starts[count] = start;
    hashes[count] = hash;
    count++;
    if (at - first > longest) longest = at - first;
  }
  starts[count] = text.length + 1;
  const found = hashes.subarray(0, count);
  return { starts: starts.subarray(0, count + 1), hashes: found, slots: placesOf(found), longest };
}

function placesOf(hashes: Int32Array): Int32Array {
  const slots = new Int32Array(placesFor(hashes.length));
  const mask = slots.length - 1;
  for (let row = 0; row < hashes.length; row++) {
    let at = spread(hashes[row]!) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = row + 1;
  }
  return slots;
}

const placesFor = (count: number): number => 2 ** Math.ceil(Math.log2(2 * count + 2));

/** The longest piece, then the columns, each number in four bytes. */
export function packIndex({ starts, hashes, slots, longest }: PieceIndex): Buffer {
  const numbers = [longest, ...starts, ...hashes, ...slots];
  const bytes = Buffer.alloc(numbers.length * Int32Array.BYTES_PER_ELEMENT);
  for (const [i, number] of numbers.entries()) bytes.writeInt32LE(number, i * Int32Array.BYTES_PER_ELEMENT);
  return bytes;
}

/** Undefined when it cannot be the one of so many pieces in that text. */
export function unpackIndex(given: Uint8Array, count: number, text: string): PieceIndex | undefined {
  // Numbers begin at a multiple of four, and a buffer may begin anywhere.
  const bytes = given.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0 ? given : new Uint8Array(given);
  const places = placesFor(count);
  if (bytes.byteLength !== (1 + count + 1 + count + places) * Int32Array.BYTES_PER_ELEMENT) return undefined;
  const numbers = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const starts = numbers.subarray(1, count + 2);
  if (starts[count] !== text.length + 1) return undefined;
  const hashes = numbers.subarray(count + 2, 2 * count + 2);
  return { starts, hashes, slots: numbers.subarray(2 * count + 2), longest: numbers[0]! };
}
