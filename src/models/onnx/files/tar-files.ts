/** Reads the regular files of a tar stream and skips everything else. */
import { KeepsakeError } from '../../../kernel/errors.ts';

const BLOCK = 512;
/** An archive that unpacks to more than this is none of ours. */
const MAX_UNPACKED = 1024 ** 3;

export interface TarFile {
  readonly name: string;
  readonly bytes: Buffer;
}

function damaged(what: string): KeepsakeError {
  return new KeepsakeError('CORRUPT', `The archive is damaged: ${what}.`, {
    hint: 'Download it again.',
  });
}

/** Gives back exactly as many bytes as are asked for, from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #total = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the archive; `keep` false reads without remembering. */
  async take(length: number, keep: boolean): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) {
          if (missing === length) return undefined;
          throw damaged('it ends in the middle of a file');
        }
        this.#rest = value;
        this.#total += value.length;
        if (this.#total > MAX_UNPACKED) throw damaged('it unpacks to more than a gigabyte');
      }
      const part = this.#rest.subarray(0, missing);
      if (keep) parts.push(part);
      missing -= part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return Buffer.concat(parts);
  }
}

function sizeIn(header: Buffer): number {
  const text = header
    .toString('latin1', 124, 136)
    .replace(/[\0 ]+$/, '')
    .trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw damaged('the size of a file is not a number');
  return Number.parseInt(text, 8);
}

function isChecked(header: Buffer): boolean {
  const expected = Number.parseInt(header.toString('latin1', 148, 156), 8);
  let sum = 0;
  // The field of the sum itself counts as eight blanks.
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i]!;
  return sum === expected;
}

/** Only files whose size is wanted are held in memory; names are hints and never become paths. */
export async function* tarFiles(
  source: AsyncIterable<Uint8Array>,
  isWanted: (size: number) => boolean,
): AsyncGenerator<TarFile> {
  const reader = new ByteReader(source);
  for (;;) {
    const header = await reader.take(BLOCK, true);
    // Two empty blocks end an archive; what follows is padding.
    if (header === undefined || header.every((byte) => byte === 0)) return;
    if (!isChecked(header)) throw damaged('a header has the wrong sum');
    const size = sizeIn(header);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    const isFile = header[156] === 0x30 || header[156] === 0;
    const keep = isFile && isWanted(size);
    const bytes = await reader.take(size, keep);
    if (bytes === undefined && size > 0) throw damaged('it ends in the middle of a file');
    const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
    if (keep) yield { name, bytes: bytes ?? Buffer.alloc(0) };
    if (padding > 0) await reader.take(padding, false);
  }
}
