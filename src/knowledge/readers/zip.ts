/** Reads the files of a zip archive, which is what office documents and books are; Node itself has the decompression. */
import { inflateRawSync } from 'node:zlib';
import { KeepsakeError } from '../../kernel/errors.ts';

/** Texts of documents are far smaller; a small archive may hold a very large file. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const MAX_COMMENT = 65_535;

interface Entry {
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packed: number;
  readonly header: number;
}

const unreadable = (what: string): KeepsakeError => new KeepsakeError('INVALID_INPUT', what);

export class ZipFiles {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #entries = new Map<string, Entry>();
  #left = MAX_BYTES;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#readDirectory();
    } catch (cause) {
      if (KeepsakeError.is(cause)) throw cause;
      throw new KeepsakeError('INVALID_INPUT', 'It is a damaged zip archive.', { cause });
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The text of a file in UTF-8 or UTF-16; undefined when there is none of this name. */
  text(name: string): string | undefined {
    const bytes = this.#read(name.replace(/^\/+/, ''));
    if (bytes === undefined) return undefined;
    const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return new TextDecoder(isWide ? wide : 'utf-8').decode(bytes);
  }

  #readDirectory(): void {
    const view = this.#view;
    let end = view.byteLength - END_SIZE;
    const first = Math.max(0, end - MAX_COMMENT);
    while (end >= first && view.getUint32(end, true) !== END) end--;
    if (end < first) throw unreadable('It is not a zip archive.');
    const count = view.getUint16(end + 10, true);
    if (count > MAX_ENTRIES) throw unreadable(`It holds more than ${MAX_ENTRIES} files.`);
    let at = view.getUint32(end + 16, true);
    for (let i = 0; i < count; i++) {
      if (view.getUint32(at, true) !== ENTRY) throw unreadable('It is a damaged zip archive.');
      const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
        number,
        number,
        number,
      ];
      const path = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + name));
      this.#entries.set(path, {
        isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        packed: view.getUint32(at + 20, true),
        header: view.getUint32(at + 42, true),
      });
      at += 46 + name + extra + comment;
    }
  }

  #read(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted) throw unreadable('It is protected by a password.');
    try {
      const lengths = [26, 28].map((offset) => this.#view.getUint16(entry.header + offset, true));
      const start = entry.header + 30 + lengths[0]! + lengths[1]!;
      const packed = this.#bytes.subarray(start, start + entry.packed);
      if (entry.method !== 0 && entry.method !== 8)
        throw unreadable('It is packed in a way that is not known.');
      const data =
        entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, this.#left) });
      this.#left -= data.length;
      return data;
    } catch (cause) {
      if (KeepsakeError.is(cause)) throw cause;
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
        throw new KeepsakeError('INVALID_INPUT', 'It is a damaged zip archive.', { cause });
      const hint = 'Split it into smaller files.';
      const most = MAX_BYTES / 1024 / 1024;
      throw new KeepsakeError('TOO_LARGE', `Its text has more than ${most} MB.`, { hint, cause });
    }
  }
}
