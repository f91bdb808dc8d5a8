/** A text file that people edit, read and changed without losing a byte to a crash, a full disk or another writer. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileLock, HoldOptions } from '../ports/file-lock.ts';
import type { Files } from '../ports/files.ts';
import { type AppendIntent, heal, readIntent, withoutTornEnd } from './append-intent.ts';
import { addToEnd, type Compose, cutOff, type DocumentEnd, unexpectedSize } from './appending.ts';
import { nodeFiles } from './files.ts';
import { createFolders, locate, lookupError, type Place } from './paths.ts';
import { closeQuietly, type Opened, openAndRead, readPart, refuseIfTooLarge } from './reading.ts';
import { ANY, putInPlace, takeAway } from './swapping.ts';
import { ABSENT, decode, encode, hasBom, hashOf, type LineEnding, lineEndingOf } from './text.ts';

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** People who save within each of these attempts are not people. */
const MOST_ATTEMPTS = 8;

export interface DocumentOptions {
  /** Absolute, or relative to `root`. */
  readonly path: string;
  /** The folder that the document must not leave, whatever links say. */
  readonly root: string;
  readonly lock: FileLock;
  readonly files?: Files;
  readonly maxBytes?: number;
}

export interface DocumentVersion {
  /** SHA-256 of the bytes in hex, or ABSENT. */
  readonly hash: string;
  readonly size: number;
}

export interface DocumentBytes extends DocumentVersion {
  readonly exists: boolean;
  readonly mtimeMs: number;
  readonly bytes: Uint8Array;
}

export interface DocumentContent extends DocumentVersion {
  readonly exists: boolean;
  readonly mtimeMs: number;
  /** Every character of the file, also a byte order mark and carriage returns; empty when it does not exist. */
  readonly text: string;
  readonly bom: boolean;
  readonly lineEnding: LineEnding;
}

export interface ReplaceOptions extends HoldOptions {
  /** Hash that was read, ABSENT to create, or ANY to overwrite whatever is there. Otherwise CONFLICT. */
  readonly ifHash: string;
}

export interface AppendOptions extends HoldOptions {
  /** Size in bytes that the document must have (0 also if it does not exist). Otherwise CONFLICT. */
  readonly ifSize?: number;
}

/** What `exclusive` hands out: the same verbs, under a lock that is held already. */
export interface HeldDocument {
  /** Real path of the document. */
  readonly path: string;
  facts(): Promise<{ readonly exists: boolean; readonly size: number; readonly mtimeMs: number }>;
  read(): Promise<DocumentContent>;
  /** Fewer bytes than asked for when the file ends before. */
  readRange(start: number, length: number): Promise<Uint8Array>;
  replace(text: string, options: { readonly ifHash: string }): Promise<DocumentVersion>;
  append(text: string, options?: { readonly ifSize?: number }): Promise<{ readonly size: number }>;
  /**
   * As `append`, for a text that depends on what it follows; composed again when the document is replaced meanwhile.
   * With `journaled`, a part that a crash leaves is the caller's to mend.
   */
  extend(
    compose: (end: DocumentEnd) => Promise<string>,
    options?: { readonly journaled?: boolean },
  ): Promise<{ readonly size: number }>;
  /** Cuts the end off; only for bytes that the caller knows nobody was promised. */
  truncate(size: number): Promise<void>;
}

/** Gets the present content and returns the new text, or undefined to leave it. May run several times. */
export type Change = (
  text: string,
  present: DocumentContent,
) => string | undefined | Promise<string | undefined>;

export class DocumentFile {
  readonly #path: string;
  readonly #root: string;
  readonly #lock: FileLock;
  readonly #files: Files;
  readonly #maxBytes: number;
  #lastToEnter: Promise<unknown> = Promise.resolve();

  constructor(options: DocumentOptions) {
    this.#path = options.path;
    this.#root = options.root;
    this.#lock = options.lock;
    this.#files = options.files ?? nodeFiles;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  /** Takes no lock and leaves no trace. Bytes that are not UTF-8 are a CORRUPT error; `readBytes` still hands them out. */
  async read(): Promise<DocumentContent> {
    const place = await this.#locate();
    return toContent(await this.#readAt(place), place.path);
  }

  /** Tells whether the file may have changed, without reading it. Takes no lock. */
  async facts(): ReturnType<HeldDocument['facts']> {
    return factsOf(await this.#locate());
  }

  async readBytes(): Promise<DocumentBytes> {
    return this.#readAt(await this.#locate());
  }

  async replace(text: string, options: ReplaceOptions): Promise<DocumentVersion> {
    return this.exclusive((held) => held.replace(text, options), options);
  }

  /** Read, modify, write under the lock. When a person saves the file meanwhile, `change` runs again on their text. */
  async update(
    change: Change,
    options: HoldOptions = {},
  ): Promise<DocumentVersion & { readonly changed: boolean }> {
    return this.#locked(options, async (path) => {
      for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
        const place = await this.#locateAgain(path);
        const present = toContent(await this.#readAt(place), path);
        const text = await change(present.text, present);
        if (text === undefined || (present.exists && text === present.text)) {
          return { hash: present.hash, size: present.size, changed: false };
        }
        const version = await this.#tryPut(place, this.#encode(text), present.hash);
        if (version !== undefined) return { ...version, changed: true };
      }
      throw restless(path);
    });
  }

  /**
   * Adds to the end without rewriting the rest. Acknowledged text is on the disk; of a text whose writer was killed, all
   * or nothing is there. Only a power failure may leave a part of a text that was never acknowledged: see `ifSize`.
   */
  async append(text: string, options: AppendOptions = {}): Promise<{ readonly size: number }> {
    return this.exclusive((held) => held.append(text, options), options);
  }

  /** For changes of several steps: holds the lock throughout, and hands out verbs that take none of their own. */
  exclusive<T>(work: (held: HeldDocument) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    return this.#locked(options, (path) =>
      work({
        path,
        facts: async () => factsOf(await this.#locateAgain(path)),
        read: async () => toContent(await this.#readAt(await this.#locateAgain(path)), path),
        readRange: async (start, length) => {
          await this.#locateAgain(path);
          try {
            return await readPart(this.#files, path, start, length);
          } catch (error) {
            throw lookupError(error, path, 'read');
          }
        },
        replace: async (text, { ifHash }) =>
          this.#put(await this.#locateAgain(path), this.#encode(text), ifHash),
        append: async (text, { ifSize } = {}) => {
          const bytes = this.#encode(text);
          return this.#append(path, async () => bytes, { ifSize });
        },
        extend: (compose, { journaled = false } = {}) =>
          this.#append(path, async (end) => this.#encode(await compose(end)), { noted: !journaled }),
        truncate: async (size) => {
          await this.#locateAgain(path);
          await cutOff(this.#files, path, size);
        },
      }),
    );
  }

  /** Resolves to false when there was nothing to remove. */
  async remove(options: ReplaceOptions): Promise<boolean> {
    const { ifHash } = options;
    const expectsNone = ifHash === ABSENT || ifHash === ANY;
    if (expectsNone && (await this.#locate()).stat === undefined) return false;
    return this.#locked(options, async (path) => {
      const place = await this.#locateAgain(path);
      if (expectsNone && place.stat === undefined) return false;
      await takeAway({ files: this.#files, place, maxBytes: this.#maxBytes, ifHash });
      return true;
    });
  }

  async #append(
    path: string,
    compose: Compose,
    { ifSize, noted = true }: { readonly ifSize?: number | undefined; readonly noted?: boolean },
  ): Promise<{ readonly size: number }> {
    for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      // It makes sure by itself that what it opens is still the file that was locked.
      const appending = { files: this.#files, path, maxBytes: this.#maxBytes, ifSize, noted };
      const added = await addToEnd(appending, compose);
      if (typeof added === 'object') return added;
      if (added === 'replaced') continue;
      const place = await this.#locateAgain(path);
      if (ifSize !== undefined && ifSize > 0) throw unexpectedSize(path, ifSize, 0);
      // A new file appears with its text or not at all.
      const bytes = await compose({ size: 0, lastByte: async () => undefined });
      const version = await this.#tryPut({ ...place, stat: undefined }, bytes, ABSENT);
      if (version !== undefined) return { size: version.size };
    }
    throw restless(path);
  }

  #locate(): Promise<Place> {
    return locate(this.#files, this.#root, this.#path);
  }

  /** Under the lock: what was found before it may be out of date, and must at least be the file that was locked. */
  async #locateAgain(path: string): Promise<Place> {
    const place = await this.#locate();
    if (place.path !== path) throw restless(path);
    return place;
  }

  async #locked<T>(options: HoldOptions, work: (path: string) => Promise<T>): Promise<T> {
    const entering = this.#lastToEnter.then(() => this.#prepare());
    // One after the other, so that concurrent calls join the queue of the lock in the order in which they were made.
    this.#lastToEnter = entering.catch(() => {});
    const path = await entering;
    const healAndWork = async () => {
      await heal(this.#files, path);
      return work(path);
    };
    return this.#lock.hold(path, healAndWork, options);
  }

  async #prepare(): Promise<string> {
    const place = await this.#locate();
    await createFolders(this.#files, place);
    return place.path;
  }

  async #readAt(place: Place): Promise<DocumentBytes> {
    const { path } = place;
    let opened: Opened | undefined;
    let intent: AppendIntent | undefined;
    // An append that begins and ends between our reading and this look changes the size, so it is noticed too.
    const lookForAppend = async () => {
      intent = await readIntent(this.#files, path).catch(() => undefined);
    };
    try {
      if (place.stat !== undefined)
        opened = await openAndRead(this.#files, path, this.#maxBytes, lookForAppend);
    } catch (error) {
      throw lookupError(error, path, 'read');
    }
    if (opened === undefined)
      return { exists: false, hash: ABSENT, size: 0, mtimeMs: 0, bytes: new Uint8Array() };
    await closeQuietly(opened.handle);
    const { stat } = opened;
    const bytes = withoutTornEnd(opened.bytes, stat, intent);
    const mtimeMs = Number(stat.mtimeNs / 1_000_000n);
    return { exists: true, hash: hashOf(bytes), size: bytes.length, mtimeMs, bytes };
  }

  async #put(place: Place, bytes: Uint8Array, ifHash: string): Promise<DocumentVersion> {
    await putInPlace({ files: this.#files, place, maxBytes: this.#maxBytes, ifHash }, bytes);
    return { hash: hashOf(bytes), size: bytes.length };
  }

  /** Undefined when someone changed the document meanwhile. */
  async #tryPut(place: Place, bytes: Uint8Array, ifHash: string): Promise<DocumentVersion | undefined> {
    try {
      return await this.#put(place, bytes, ifHash);
    } catch (error) {
      if (KeepsakeError.is(error) && error.code === 'CONFLICT') return undefined;
      throw error;
    }
  }

  #encode(text: string): Uint8Array {
    const bytes = encode(text, this.#path);
    refuseIfTooLarge(bytes.length, this.#maxBytes, this.#path);
    return bytes;
  }
}

function factsOf({ stat }: Place): { exists: boolean; size: number; mtimeMs: number } {
  if (stat === undefined) return { exists: false, size: 0, mtimeMs: 0 };
  return { exists: true, size: stat.size, mtimeMs: Number(stat.mtimeNs / 1_000_000n) };
}

function toContent({ bytes, ...facts }: DocumentBytes, path: string): DocumentContent {
  const text = decode(bytes, path);
  return { ...facts, text, bom: hasBom(text), lineEnding: lineEndingOf(text) };
}

function restless(path: string): KeepsakeError {
  return new KeepsakeError(
    'CONFLICT',
    `${path} is being changed by someone else again and again; nothing was written.`,
    {
      hint: 'Close other programs that write the file, then try again.',
      details: { path },
    },
  );
}
