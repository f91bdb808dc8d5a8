/** Updates the chunks of one file; a second run completes an interrupted one. */
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { inTurns } from '../kernel/in-turns.ts';
import type { MemoryRecord, Origin, Source } from '../kernel/record.ts';
import type { Scope } from '../kernel/scope.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { RecordService, UpdateInput } from '../records/index.ts';
import type { ChunkOptions } from './chunk.ts';
import {
  type ChunkMetadata,
  fileHash,
  fromMetadata,
  isWebAddress,
  type Place,
  threadOf,
  toMetadata,
} from './chunk-metadata.ts';
import { chunkText } from './chunker.ts';
import { readWhole } from './files/open-file.ts';
import type { Skipped } from './files/walk.ts';
import { chunksOf, type KnownFile } from './known-files.ts';
import { readDocument } from './readers/index.ts';
import type { WebDocument, WebOptions } from './web/fetch-page.ts';

export interface FileIndexerParts {
  readonly records: RecordService;
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly settingsFor: (agent: string) => ChunkOptions;
  readonly lifetimeOf: (source: Source) => number | null;
  readonly web?: WebOptions;
}

export interface IndexTarget {
  readonly agent: string;
  /** Where it is on disk, and how it is named in memory. */
  readonly file: string;
  readonly path: string;
  readonly root: string;
  readonly source: Source;
  readonly category: string;
  readonly scope: Scope;
  /** Who wrote it. Default: it came from outside. */
  readonly origin?: Origin;
  /** What was shared or taken back since stays so; the scope above is for what is new. */
  readonly keepsScope?: boolean;
}

export interface IndexedFile {
  /** Whether memory holds what the file says now. */
  readonly isIndexed: boolean;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** The file itself, or chunks of it. */
  readonly skipped: readonly Skipped[];
}

interface Piece {
  readonly content: string;
  readonly metadata: ChunkMetadata;
}

interface Unread {
  readonly says: 'the same' | 'nothing' | 'unknown';
  readonly skipped: readonly Skipped[];
}

/** What a person adds from a folder of his own. Notes of agents are not: an agent may have written them. */
const OWN_DOCUMENTS: Source = 'knowledge';
/** A file of nothing but the same lines is one passage with very many places. */
const MAX_PLACES = 100;

/** Permissions and broken disks pass; what a file said is kept until it is known to say something else. */
const PASSING = new Set(['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'EBUSY', 'ESTALE', 'ETIMEDOUT']);

/** A package that may be installed later, and servers that may answer later. */
const PASSING_ERRORS = new Set<string>(['UNSUPPORTED', 'UNAVAILABLE', 'TIMEOUT', 'FORBIDDEN']);

/** Node's client of the web takes longer to load than all of Keepsake, and few need it. */
async function fetchWebPage(address: string, options: WebOptions | undefined): Promise<WebDocument> {
  const { fetchPage } = await import('./web/fetch-page.ts');
  return fetchPage(address, options);
}

export class FileIndexer {
  readonly #parts: FileIndexerParts;

  constructor(parts: FileIndexerParts) {
    this.#parts = parts;
  }

  async index(target: IndexTarget, known: KnownFile | undefined, caller: Caller): Promise<IndexedFile> {
    const found = await this.#read(target, known);
    if ('pieces' in found) return this.#store(target, found.pieces, caller);
    if (known === undefined) return { ...NOTHING, skipped: found.skipped };
    if (found.says === 'the same') return this.#renew(target, known, caller);
    if (found.says === 'unknown') return { ...NOTHING, skipped: found.skipped };
    return { ...NOTHING, removed: await this.removeAll([known], caller), skipped: found.skipped };
  }

  /** Erases what memory holds of files, all in one go. Says how many chunks that were. */
  async removeAll(files: readonly KnownFile[], caller: Caller): Promise<number> {
    const chunks = files.flatMap((file) => file.chunks);
    await this.#forget(chunks, caller);
    return chunks.length;
  }

  async #forget(chunks: readonly { readonly id: string }[], caller: Caller): Promise<void> {
    if (chunks.length === 0) return;
    await this.#parts.records.forgetMany({ ids: chunks.map(({ id }) => id) }, caller);
  }

  /** What a file says, or what became of it. */
  async #read(
    target: IndexTarget,
    known: KnownFile | undefined,
  ): Promise<{ readonly pieces: Piece[] } | Unread> {
    const { file, path } = target;
    try {
      const found = isWebAddress(file)
        ? await fetchWebPage(file, this.#parts.web)
        : { bytes: await readWhole(file), name: file, encoding: undefined };
      const hash = fileHash(found.bytes, this.#parts.settingsFor(target.agent));
      if (known !== undefined && isCurrent(known, target, hash)) return { says: 'the same', skipped: [] };
      return { pieces: await this.#cut(target, found, hash) };
    } catch (error) {
      if (KeepsakeError.is(error)) {
        const says = PASSING_ERRORS.has(error.code) ? 'unknown' : 'nothing';
        return { says, skipped: [{ path, reason: error.message }] };
      }
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (code === 'ENOENT' || code === 'ENOTDIR') return { says: 'nothing', skipped: [] };
      const says = PASSING.has(code) ? 'unknown' : 'nothing';
      return { says, skipped: [{ path, reason: `It cannot be read (${code}).` }] };
    }
  }

  async #cut(target: IndexTarget, { name, bytes, encoding }: WebDocument, hash: string): Promise<Piece[]> {
    const document = await readDocument(name, bytes, encoding);
    const chunks = chunkText(document.text, document.format, this.#parts.settingsFor(target.agent));
    // The same words twice in one file are one record, with all places where they stand.
    const byText = new Map<string, (typeof chunks)[number][]>();
    for (const chunk of chunks) {
      if (chunk.text.trim() === '') continue;
      const content = chunk.lead + chunk.text;
      byText.set(content, [...(byText.get(content) ?? []), chunk]);
    }
    const placeOf = ({ text, start, end }: (typeof chunks)[number]): Place => [
      document.placeAt(start + (text.length - text.trimStart().length)),
      document.placeAt(Math.max(start, end - 1 - (text.length - text.trimEnd().length))),
    ];
    return [...byText].map(([content, [first, ...others]], chunk) => {
      const [start, end] = placeOf(first!);
      const sheet = document.sheetAt?.(first!.start);
      const also = others.filter((other) => document.sheetAt?.(other.start) === sheet).map(placeOf);
      return {
        content,
        metadata: {
          ...{ root: target.root, path: target.path, unit: document.unit, chunk, of: byText.size },
          ...{ start, end, also: also.slice(0, MAX_PLACES), ...defined({ sheet }) },
          heading: first!.headings.join(' > ').slice(0, 1_000).toWellFormed(),
          ...(chunk === 0 ? { hash } : {}),
        },
      };
    });
  }

  async #store(target: IndexTarget, pieces: readonly Piece[], caller: Caller): Promise<IndexedFile> {
    const { agent, source, path } = target;
    const now = this.#parts.clock.now();
    const present = await chunksOf(this.#parts.store, {
      ...{ viewer: caller.viewer, now, source, agent, path, thread: threadOf(path) },
      user: caller.viewer.user ?? null,
    });
    const skipped: Skipped[] = [];
    const { byPosition, surplus } = sortOut(present, pieces);
    const placed = pieces.map((piece, i) => ({ piece, record: byPosition.get(i) }));
    const changes = placed.flatMap(({ piece, record }) => {
      const patch = record === undefined ? undefined : this.#patch(target, piece, record, now);
      return patch === undefined ? [] : [{ piece, patch }];
    });
    const isOwn = source === OWN_DOCUMENTS && target.origin !== 'web';
    const writer: Caller = isOwn ? { ...caller, ownDocument: true } : caller;
    const update = ({ piece, patch }: (typeof changes)[number]) =>
      this.#unlessBlocked(skipped, piece, () => this.#parts.records.update(patch, writer));
    // The first chunk says what the file was when it was indexed, so it comes after the others; what is missing or left
    // over after a crash is seen by its number.
    const first = byPosition.get(0)?.id;
    await Promise.all(changes.filter(({ patch }) => patch.id !== first).map(update));
    await Promise.all(changes.filter(({ patch }) => patch.id === first).map(update));
    const fresh = placed.filter(({ record }) => record === undefined);
    // A file that was shared as a whole is shared as a whole when it grows.
    const isShared = present.length > 0 && present.every((record) => record.scope === 'swarm');
    const scope = target.keepsScope && isShared ? 'swarm' : target.scope;
    const added = await inTurns(fresh, ({ piece }) =>
      this.#unlessBlocked(skipped, piece, () =>
        this.#parts.records.add(
          {
            ...{ content: piece.content, source, category: target.category, scope, thread: threadOf(path) },
            ...{ metadata: toMetadata(piece.metadata), origin: target.origin ?? 'import' },
          },
          writer,
        ),
      ),
    );
    await this.#forget(surplus, caller);
    // Another process may have been faster with some.
    const isAdded = (one: (typeof added)[number]): boolean => one?.outcome === 'added';
    return {
      ...{
        isIndexed: true,
        added: added.filter(isAdded).length,
        updated: changes.length,
        removed: surplus.length,
      },
      skipped,
    };
  }

  /** What differs between a record and what it should be; undefined when nothing does. */
  #patch(target: IndexTarget, piece: Piece, record: MemoryRecord, now: number): UpdateInput | undefined {
    const metadata = toMetadata(piece.metadata);
    const lifetime = this.#parts.lifetimeOf(target.source);
    const patch = {
      ...(record.content === piece.content ? {} : { content: piece.content }),
      ...(sameJson(record.metadata, metadata) ? {} : { metadata }),
      ...(record.scope === target.scope || target.keepsScope ? {} : { scope: target.scope }),
      ...((lifetime === null && record.expiresAt === null) || record.supersededBy !== null
        ? {}
        : { expiresAt: lifetime === null ? null : now + lifetime }),
    };
    // What a page says now is on the word of the page, and its guard.
    const origin = target.origin === 'web' ? ({ origin: 'web' } as const) : {};
    return Object.keys(patch).length === 0 ? undefined : { id: record.id, ...patch, ...origin };
  }

  /** A file that is as it was lives on: once half of its time is over, so that looking often does not write often. */
  async #renew(target: IndexTarget, known: KnownFile, caller: Caller): Promise<IndexedFile> {
    const lifetime = this.#parts.lifetimeOf(target.source);
    const now = this.#parts.clock.now();
    const due = known.chunks.filter(
      ({ expiresAt, isSuperseded }) =>
        expiresAt !== null && !isSuperseded && (lifetime === null || expiresAt - now < lifetime / 2),
    );
    const expiresAt = lifetime === null ? null : now + lifetime;
    await Promise.all(due.map(({ id }) => this.#parts.records.update({ id, expiresAt }, caller)));
    return { ...NOTHING, isIndexed: true, updated: due.length };
  }

  /** A chunk that the guard refuses must not keep the rest of the file out. */
  async #unlessBlocked<T>(
    skipped: Skipped[],
    { metadata }: Piece,
    write: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!KeepsakeError.is(error) || error.code !== 'BLOCKED') throw error;
      const { path, unit, start, end } = metadata;
      const place = `${unit[0]!.toUpperCase()}${unit.slice(1)}s ${start}-${end}`;
      // The hint has the command that releases it, for those who may know.
      const reason = [`${place}: ${error.message}`, error.hint].filter(Boolean).join(' ');
      skipped.push({ path, reason });
      return undefined;
    }
  }
}

export const NOTHING: IndexedFile = { isIndexed: false, added: 0, updated: 0, removed: 0, skipped: [] };

/** Whether memory holds exactly what the file says. */
function isCurrent(
  known: KnownFile,
  { root, scope, keepsScope = false }: IndexTarget,
  hash: string,
): boolean {
  const positions = new Set(known.chunks.map(({ chunk }) => chunk));
  const isWhole = positions.size === known.of && known.chunks.length === known.of;
  return known.hash === hash && isWhole && known.root === root && (keepsScope || known.scope === scope);
}

/**
 * One record for each position, and those that have none: beyond the end, or doubled by two processes at once. What was
 * superseded has the place of its own words only; others would be hidden with it.
 */
function sortOut(present: readonly MemoryRecord[], pieces: readonly Piece[]) {
  const byPosition = new Map<number, MemoryRecord>();
  const surplus: MemoryRecord[] = [];
  const homeless: MemoryRecord[] = [];
  const take = (position: number, record: MemoryRecord, others: MemoryRecord[]): void => {
    if (position in pieces && !byPosition.has(position)) byPosition.set(position, record);
    else others.push(record);
  };
  for (const record of present.filter(({ supersededBy }) => supersededBy !== null)) {
    const same = pieces.findIndex(({ content }) => content === record.content);
    take(same, record, surplus);
  }
  for (const record of present.filter(({ supersededBy }) => supersededBy === null)) {
    take(fromMetadata(record)?.chunk ?? -1, record, homeless);
  }
  // A place that is free is theirs: an equal text could not be added beside one that is about to be erased.
  for (const record of homeless) {
    const free = pieces.findIndex((_, position) => !byPosition.has(position));
    take(free, record, surplus);
  }
  return { byPosition, surplus };
}

function sameJson(a: object, b: object): boolean {
  const sorted = (value: object): string =>
    JSON.stringify(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  return sorted(a) === sorted(b);
}
