/** Notes in agents/<name>/notes: Markdown files that an agent finds again by what they say. */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { type Caller, writerOf } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import { FileIndexer, type FileIndexerParts, type IndexedFile, type IndexTarget } from './file-indexer.ts';
import { type Walked, walk } from './files/walk.ts';
import { type IndexOptions, type IndexReport, indexFiles, joinReports } from './folder-indexer.ts';
import { type KnownFile, knownFiles } from './known-files.ts';
import { isBelow, type Places } from './places.ts';

export interface NotesParts extends FileIndexerParts {
  readonly places: Places;
  readonly agentsFolder: string;
  readonly notesFolder: (agent: string) => string;
}

const SOURCE = 'file_index';

export class NotesService {
  readonly #parts: NotesParts;
  readonly #indexer: FileIndexer;

  constructor(parts: NotesParts) {
    this.#parts = parts;
    this.#indexer = new FileIndexer(parts);
  }

  /** Indexes the notes of the agent that calls, or of all agents when their owner does. */
  async index(caller: Caller, options: IndexOptions = {}): Promise<IndexReport> {
    const agents = caller.viewer.agent === undefined ? await this.#agents(caller) : [writerOf(caller)];
    const reports: IndexReport[] = [];
    for (const agent of agents) {
      const known = await this.#known(agent, caller);
      const { files, skipped, unknown } = await this.#walk(agent, options.signal);
      const targets = await Promise.all(files.filter(isNote).map((file) => this.#target(agent, file)));
      const present = new Set(targets.map(({ path }) => path));
      const gone: KnownFile[] = [];
      for (const file of known) {
        const path = await this.#parts.places.pathOf(file.path);
        if (!present.has(file.path) && !unknown.some((folder) => isBelow(path, folder))) gone.push(file);
      }
      const named = await Promise.all(
        skipped.map(async ({ path, reason }) => ({ path: await this.#parts.places.nameOf(path), reason })),
      );
      const job = { targets, known, gone, skipped: named };
      reports.push(await indexFiles(this.#indexer, job, as(agent, caller), options));
    }
    return joinReports(reports);
  }

  /** Whether a file, by its real path, is a note of the agent. */
  async isNoteOf(agent: string, file: string): Promise<boolean> {
    return isNote(file) && isBelow(file, await this.#folder(agent));
  }

  /** One note that was written; also takes away one that was removed. For whoever watches the folder. */
  async indexFile(agent: string, file: string, caller: Caller): Promise<IndexedFile> {
    const folder = await this.#folder(agent);
    // Of a note that was removed, the folder may be gone too.
    const inside = await realpath(dirname(file)).catch(() => dirname(file));
    if (!isNote(file) || !isBelow(inside, folder)) {
      throw new KeepsakeError('INVALID_INPUT', `${file} is not a note of ${agent}.`, {
        hint: `Notes are Markdown files in ${this.#parts.notesFolder(agent)}.`,
      });
    }
    const target = await this.#target(agent, file);
    const known = await this.#known(agent, caller);
    return this.#indexer.index(
      target,
      known.find(({ path }) => path === target.path),
      as(agent, caller),
    );
  }

  #known(agent: string, caller: Caller): Promise<KnownFile[]> {
    const { store, clock } = this.#parts;
    const query = { viewer: as(agent, caller).viewer, now: clock.now(), source: SOURCE, agent } as const;
    // Other files may have been indexed by others, in their own way.
    return this.#target(agent, this.#parts.notesFolder(agent)).then(async ({ root }) =>
      (await knownFiles(store, query)).filter((file) => file.root === root),
    );
  }

  async #target(agent: string, file: string): Promise<IndexTarget> {
    const { places } = this.#parts;
    const root = await places.nameOf(await this.#folder(agent));
    const path = await places.nameOf(file);
    return {
      ...{ agent, file, path, root, source: SOURCE, category: 'note', scope: 'agent', keepsScope: true },
      origin: 'agent',
    };
  }

  /** A folder that is a link leads somewhere else, and what is there are no notes of the agent. */
  async #walk(agent: string, signal: AbortSignal | undefined): Promise<Walked> {
    const folder = await this.#folder(agent);
    const real = await realpath(folder).catch(() => folder);
    if (real === folder) return walk(folder, signal);
    return {
      files: [],
      skipped: [{ path: folder, reason: 'It is a symbolic link; links are not followed.' }],
      unknown: [folder],
    };
  }

  /** In terms of the real root of the workspace, as all paths are. */
  async #folder(agent: string): Promise<string> {
    return this.#parts.places.real(this.#parts.notesFolder(agent));
  }

  async #agents({ viewer }: Caller): Promise<string[]> {
    if (viewer.role !== 'admin') {
      throw new KeepsakeError(
        'FORBIDDEN',
        'Only the owner of the workspace may index the notes of all agents.',
        {
          hint: 'Name an agent.',
        },
      );
    }
    const entries = await readdir(this.#parts.agentsFolder, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isDirectory() && isAgentName(entry.name))
      .map(({ name }) => name)
      .sort();
  }
}

const isNote = (file: string): boolean => ['.md', '.markdown'].includes(extname(file).toLowerCase());

function isAgentName(name: string): boolean {
  try {
    return checkAgentName(name) === name;
  } catch {
    return false;
  }
}

const as = (agent: string, caller: Caller): Caller => ({ ...caller, viewer: { ...caller.viewer, agent } });
