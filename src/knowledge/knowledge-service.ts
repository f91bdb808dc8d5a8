/** External documents as memory: added by folder or file, kept up to date, removed, listed, and searched with citations. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Caller, writingSpeaker } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { inTurns } from '../kernel/in-turns.ts';
import { type WithNotices, withNotices } from '../kernel/notices.ts';
import type { Scope } from '../kernel/scope.ts';
import { validate } from '../kernel/validate.ts';
import type { MemoryHit } from '../records/index.ts';
import { isWebAddress } from './chunk-metadata.ts';
import { chunkText } from './chunker.ts';
import { FileIndexer, type FileIndexerParts } from './file-indexer.ts';
import type { Skipped } from './files/walk.ts';
import { type IndexOptions, type IndexReport, indexFiles, joinReports } from './folder-indexer.ts';
import {
  type AddKnowledgeInput,
  addKnowledgeInput,
  type PathInput,
  pathInput,
  type SearchKnowledgeInput,
  type StoreKnowledgeInput,
  searchKnowledgeInput,
  storeKnowledgeInput,
} from './inputs.ts';
import { type KnownFile, knownFiles } from './known-files.ts';
import { hasMetadata, threadsWithin } from './narrowing.ts';
import { onePassageEach } from './passages.ts';
import { isBelow, type Places } from './places.ts';
import { type Indexing, isPattern, jobFor, whereIs } from './targets.ts';
import { webAddress } from './web/web-address.ts';

export interface KnowledgeParts extends FileIndexerParts {
  readonly places: Places;
}

export interface KnowledgeHit extends MemoryHit {
  /** Where it stands: `docs/a.md:12-40`, or `manual.pdf#page=3`. */
  readonly citation: string;
  /** Other places that say exactly the same. */
  readonly also: readonly string[];
}

export interface KnowledgeFile {
  readonly path: string;
  readonly chunks: number;
  readonly updatedAt: number;
}

/** A folder or file that was added. */
export interface KnowledgeRoot {
  readonly agent: string;
  readonly root: string;
  readonly scope: Scope;
  readonly chunks: number;
  readonly files: readonly KnowledgeFile[];
}

/** What the chunks of a text that is in no file have in common. */
export function threadOfText(text: string): string {
  return `text:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

export interface StoredKnowledge {
  /** Of the first chunk. */
  readonly id: string;
  readonly chunks: number;
}

export interface RemovedKnowledge {
  readonly files: number;
  readonly removed: number;
}

const SOURCE = 'knowledge';

export class KnowledgeService {
  readonly #parts: KnowledgeParts;
  readonly #indexer: FileIndexer;

  constructor(parts: KnowledgeParts) {
    this.#parts = parts;
    this.#indexer = new FileIndexer(parts);
  }

  /** Indexes a folder or a file, or brings it up to date. */
  async add(input: AddKnowledgeInput, caller: Caller, options: IndexOptions = {}): Promise<IndexReport> {
    const { path, scope } = validate(addKnowledgeInput, input, 'knowledge.add');
    const agent = writingSpeaker(caller);
    const file = await whereIs(path, this.#parts.places, caller);
    const known = await this.#known(caller, agent);
    const name = isWebAddress(file) ? file : await this.#parts.places.nameOf(file);
    const within = isWebAddress(file) ? undefined : await this.#rootAround(file, known);
    const report = await this.#index({ agent, file, root: within ?? name, scope }, known, caller, options);
    const [only] = report.skipped;
    if (only?.path !== name || report.added + report.updated > 0) return report;
    throw new KeepsakeError('INVALID_INPUT', `${name} cannot be added. ${only.reason}`, {
      hint: 'Add a page of the public web, or a file of at most 10 MB: text, Markdown, HTML, code, PDF, Office or EPUB.',
    });
  }

  /** Stores a text that is in no file. */
  async store(input: StoreKnowledgeInput, caller: Caller): Promise<StoredKnowledge> {
    const { text, metadata, scope } = validate(storeKnowledgeInput, input, 'knowledge.store');
    const chunks = chunkText(text, 'markdown', this.#parts.settingsFor(writingSpeaker(caller)));
    const parts = chunks.filter((chunk) => chunk.text.trim() !== '');
    const thread = threadOfText(text);
    const records = await inTurns([...parts.entries()], ([part, { text: content }]) => {
      const place = parts.length === 1 ? {} : { part, parts: parts.length };
      return this.#parts.records.add(
        {
          content,
          scope,
          thread,
          source: SOURCE,
          category: SOURCE,
          origin: 'import',
          metadata: { ...metadata, ...place },
        },
        caller,
      );
    });
    return { id: records[0]!.id, chunks: new Set(records.map(({ id }) => id)).size };
  }

  /** Brings everything that was added up to date with the disk. */
  async refresh(caller: Caller, options: IndexOptions = {}): Promise<IndexReport> {
    const known = await this.#known(caller, caller.viewer.agent);
    const reports: IndexReport[] = [];
    for (const { agent, user, root } of rootsOf(known)) {
      const viewer = { ...caller.viewer, agent, ...(user === null ? {} : { user }) };
      const own = known.filter((file) => file.agent === agent && file.user === user);
      const isWeb = isWebAddress(root);
      const file = isWeb ? root : await this.#parts.places.pathOf(root);
      const isElsewhere = isWeb || (await isPattern(file));
      const missing = isElsewhere ? undefined : await this.#missing(file, own, root);
      reports.push(
        missing === undefined
          ? await this.#index({ agent, file, root }, own, { ...caller, viewer }, options)
          : { files: 0, added: 0, updated: 0, removed: 0, skipped: [missing] },
      );
    }
    return joinReports(reports);
  }

  /** Erases what memory holds of a file or of all files in a folder; the files themselves stay. */
  async remove(input: PathInput, caller: Caller): Promise<RemovedKnowledge> {
    const { path } = validate(pathInput, input, 'knowledge.remove');
    const files = await this.#filesAt(path, caller);
    return { files: files.length, removed: await this.#indexer.removeAll(files, caller) };
  }

  /** What `remove` would erase, and of whom. */
  async removable(
    input: PathInput,
    caller: Caller,
  ): Promise<readonly (RemovedKnowledge & { agent: string })[]> {
    const { path } = validate(pathInput, input, 'knowledge.remove');
    const files = await this.#filesAt(path, caller);
    const byAgent = Map.groupBy(files, ({ agent }) => agent);
    return [...byAgent.keys()].sort().map((agent) => {
      const own = byAgent.get(agent) ?? [];
      const removed = own.reduce((sum, { chunks }) => sum + chunks.length, 0);
      return { agent, files: own.length, removed };
    });
  }

  async #filesAt(path: string, caller: Caller): Promise<KnownFile[]> {
    if (isWebAddress(path)) {
      const pages = (await this.#known(caller, caller.viewer.agent)).filter(
        (file) => file.path === webAddress(path),
      );
      if (pages.length > 0) return pages;
      throw nothingFrom(path);
    }
    // As it is named in memory, or as it is found from here; what is gone from disk has no real path any more.
    const real = await this.#parts.places.find(path, caller).catch(() => resolve(path));
    const places = [await this.#parts.places.pathOf(path), real];
    const files: KnownFile[] = [];
    for (const file of await this.#known(caller, caller.viewer.agent)) {
      if (isWebAddress(file.path)) continue;
      const own = await this.#parts.places.pathOf(file.path);
      if (places.some((place) => isBelow(own, place))) files.push(file);
    }
    if (files.length > 0) return files;
    throw nothingFrom(path);
  }

  async list(caller: Caller): Promise<readonly KnowledgeRoot[]> {
    const known = await this.#known(caller);
    return rootsOf(known).map(({ agent, user, root }) => {
      const files = known.filter((file) => file.agent === agent && file.user === user && file.root === root);
      return {
        ...{ agent, root, scope: files[0]?.scope ?? 'agent' },
        chunks: files.reduce((sum, { chunks }) => sum + chunks.length, 0),
        files: files.map(({ path, chunks, updatedAt }) => ({ path, chunks: chunks.length, updatedAt })),
      };
    });
  }

  /** Finds passages for a question in plain words, best first, with their places. */
  async search(input: SearchKnowledgeInput, caller: Caller): Promise<WithNotices<readonly KnowledgeHit[]>> {
    const { path, metadata, ...wanted } = validate(searchKnowledgeInput, input, 'knowledge.search');
    // Every run of an agent asks, and most agents have no documents: to look is cheaper than to search.
    const [any] = await this.#parts.records.list({ source: SOURCE, limit: 1 }, caller);
    if (any === undefined) return withNotices([], []);
    const threads =
      path === undefined && metadata === undefined
        ? undefined
        : await threadsWithin({ path, metadata }, this.#parts, caller);
    if (threads?.length === 0) return withNotices([], []);
    const within = defined({ threads });
    return onePassageEach(
      wanted.limit,
      (limit) => this.#parts.records.search({ ...wanted, limit, source: SOURCE }, caller, within),
      (hit) => metadata === undefined || hasMetadata(hit.metadata, metadata),
    );
  }

  async #index(
    what: Indexing,
    known: readonly KnownFile[],
    caller: Caller,
    options: IndexOptions,
  ): Promise<IndexReport> {
    const { folder, ...job } = await jobFor(what, known, this.#parts.places, options.signal);
    const report = await indexFiles(this.#indexer, job, caller, options);
    if (folder !== undefined) await refuseGone(folder);
    return report;
  }

  #known(caller: Caller, agent?: string): Promise<KnownFile[]> {
    const { store, clock } = this.#parts;
    const { viewer } = caller;
    // An agent changes what it holds about the user whom it serves, or about nobody in particular.
    const user = agent === undefined ? undefined : (viewer.user ?? null);
    return knownFiles(store, { viewer, now: clock.now(), source: SOURCE, agent, user });
  }

  /** The outermost folder that was added before and that holds this file or folder. */
  async #rootAround(file: string, known: readonly KnownFile[]): Promise<string | undefined> {
    const around: string[] = [];
    for (const root of new Set(known.map((each) => each.root))) {
      if (isWebAddress(root)) continue;
      if (isBelow(file, await this.#parts.places.pathOf(root))) around.push(root);
    }
    return around.sort((a, b) => a.length - b.length)[0];
  }

  /**
   * A folder that is not there may be a drive that is not plugged in: nothing is erased for that. A single file is gone
   * when its folder is there without it.
   */
  async #missing(path: string, known: readonly KnownFile[], root: string): Promise<Skipped | undefined> {
    const exists = (file: string): Promise<boolean> =>
      stat(file).then(
        () => true,
        () => false,
      );
    if (await exists(path)) return undefined;
    const isFile = known.some((file) => file.path === root);
    if (isFile && (await exists(dirname(path)))) return undefined;
    return { path: root, reason: 'It does not exist any more; its chunks stay until you remove them.' };
  }
}

const nothingFrom = (path: string): KeepsakeError =>
  new KeepsakeError('NOT_FOUND', `Nothing from ${path} is indexed.`, {
    hint: 'List the indexed documents to see their paths.',
  });

function rootsOf(known: readonly KnownFile[]): Pick<KnownFile, 'agent' | 'user' | 'root'>[] {
  const roots = new Map(
    known.map(({ agent, user, root }) => [JSON.stringify([agent, user, root]), { agent, user, root }]),
  );
  const keys = ({ root, agent, user }: { root: string; agent: string; user: string | null }) =>
    [root, agent, user ?? ''].join('\n');
  return [...roots.values()].sort((a, b) => (keys(a) < keys(b) ? -1 : 1));
}

/** Without its folder, files look as if each had been deleted; that must not pass for a folder that was indexed. */
async function refuseGone(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  if (isThere) return;
  throw new KeepsakeError('NOT_FOUND', `${folder} was deleted while it was being indexed.`, {
    hint: 'What was indexed before is kept. Put the folder back and add it again.',
  });
}
