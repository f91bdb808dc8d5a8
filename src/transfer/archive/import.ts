/** Imports an archive: existing data is kept, missing data is added, and repeating it changes nothing. */
import type { Clock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { RecordCopy } from '../../ports/record-copies.ts';
import type { Storage } from '../../ports/storage.ts';
import type { Embedder } from '../../records/index.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';
import { archiveAgain } from '../boundaries.ts';
import { toDraft } from '../items.ts';
import { appendMessages } from '../messages.ts';
import type { LineOf } from './lines.ts';
import { FilePlacer } from './place-file.ts';
import { checkArchive, readArchive } from './read-archive.ts';
import { requireCopies } from './write-archive.ts';

export interface TakeInParts {
  readonly storage: Storage;
  readonly embedder: Embedder;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
}

export interface TakeInOptions {
  /** Only says what would be added. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

export interface Tally {
  added: number;
  /** Were there already, the same. */
  present: number;
}

export interface ArchiveReport {
  readonly from: 'keepsake';
  readonly dryRun: boolean;
  readonly agent: string | null;
  readonly records: Tally & {
    /** Were forgotten here and stay so. */
    forgotten: number;
  };
  readonly messages: Tally;
  readonly files: Tally;
  /** What adapters keep for frameworks. */
  readonly items: Tally;
  /** What is here under the same id or name with another content; it stayed as it is. */
  readonly conflicts: string[];
}

const BATCH = 500;

class TakeIn {
  readonly report: ArchiveReport;
  readonly #parts: TakeInParts;
  readonly #dryRun: boolean;
  readonly #files: FilePlacer;
  #records: LineOf<'record'>[] = [];
  #messages: LineOf<'message'>[] = [];
  #items: LineOf<'item'>[] = [];

  constructor(parts: TakeInParts, agent: string | null, dryRun: boolean) {
    this.#parts = parts;
    this.#dryRun = dryRun;
    this.#files = new FilePlacer(parts.paths, dryRun);
    this.report = {
      ...{ from: 'keepsake', dryRun, agent, conflicts: [] },
      records: { added: 0, present: 0, forgotten: 0 },
      messages: { added: 0, present: 0 },
      files: { added: 0, present: 0 },
      items: { added: 0, present: 0 },
    };
  }

  async record(line: LineOf<'record'>): Promise<void> {
    this.#records.push(line);
    if (this.#records.length >= BATCH) await this.flush();
  }

  async message(line: LineOf<'message'>): Promise<void> {
    this.#messages.push(line);
    if (this.#messages.length >= BATCH) await this.flush();
  }

  async item(line: LineOf<'item'>): Promise<void> {
    this.#items.push(line);
    if (this.#items.length >= BATCH) await this.flush();
  }

  async boundary({ agent, thread, after }: LineOf<'boundary'>): Promise<void> {
    await this.flush();
    if (this.#dryRun) return;
    const { log } = this.#parts.storage;
    const last = await log.get(after);
    // What is compacted away here already stays so.
    if (last === null || last.seq <= (await log.boundary(agent, thread))) return;
    await log.append([], { boundary: { agent, thread, seq: last.seq } });
  }

  async archived({ kind: _, ...thread }: LineOf<'archived'>): Promise<void> {
    await this.flush();
    if (!this.#dryRun) await archiveAgain(this.#parts.storage.log, thread);
  }

  async file(line: LineOf<'file'>): Promise<void> {
    await this.flush();
    const outcome = await this.#files.add(line);
    if (outcome === 'differs') this.report.conflicts.push(line.path);
    else if (outcome !== undefined) this.report.files[outcome]++;
  }

  async flush(): Promise<void> {
    const [records, messages, items] = [this.#records, this.#messages, this.#items];
    this.#records = [];
    this.#messages = [];
    this.#items = [];
    if (records.length > 0) await this.#writeRecords(records);
    if (messages.length > 0) await this.#writeMessages(messages);
    if (items.length > 0) await this.#writeItems(items);
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async #writeRecords(lines: readonly LineOf<'record'>[]): Promise<void> {
    const { storage, embedder, clock } = this.#parts;
    const copies = lines.map(({ kind: _, ...copy }) => ({
      ...(copy as RecordCopy),
      embedding: copy.forgottenAt === null && !this.#dryRun ? embedder.now(copy.content) : undefined,
    }));
    const context = { at: clock.now(), viewer: { role: 'admin' }, via: 'system' } as const;
    const outcomes = await requireCopies(storage).write(copies, { ...context, dryRun: this.#dryRun });
    outcomes.forEach((outcome, i) => {
      if (outcome === 'differs') this.report.conflicts.push(lines[i]!.id);
      else this.report.records[outcome]++;
    });
  }

  async #writeItems(lines: readonly LineOf<'item'>[]): Promise<void> {
    const { storage, embedder } = this.#parts;
    const drafts = lines.map(({ kind: _, ...copy }) => toDraft(copy, embedder));
    const outcomes = await storage.items.addCopies(drafts, { dryRun: this.#dryRun });
    outcomes.forEach((outcome, i) => {
      const { namespace, key } = lines[i]!;
      if (outcome === 'differs') this.report.conflicts.push([...namespace, key].join('/'));
      else this.report.items[outcome]++;
    });
  }

  async #writeMessages(lines: readonly LineOf<'message'>[]): Promise<void> {
    const { log } = this.#parts.storage;
    const present = await Promise.all(lines.map(({ id }) => log.get(id)));
    const fresh = lines.filter((_, i) => present[i] === null);
    lines.forEach((line, i) => {
      const found = present[i];
      if (found == null) this.report.messages.added++;
      else if (found.agent === line.agent && found.deletedAt === line.deletedAt)
        this.report.messages.present++;
      else this.report.conflicts.push(line.id);
    });
    if (this.#dryRun || fresh.length === 0) return;
    await appendMessages(
      log,
      fresh.map(({ kind: _, ...message }) => message),
    );
  }
}

/** Reads the archive twice: nothing is written before all of it is known to be sound. */
export async function takeInArchive(
  parts: TakeInParts,
  file: string,
  { dryRun = false, signal, onProgress }: TakeInOptions = {},
): Promise<ArchiveReport> {
  const { manifest, counts } = await checkArchive(file);
  const total = counts.records + counts.messages + counts.files + (counts.items ?? 0);
  const taking = new TakeIn(parts, manifest.agent, dryRun);
  let done = 0;
  try {
    // Opens the model, so that each record gets its vector with its text where that is quick.
    if (!dryRun && counts.records > 0) await parts.embedder.health();
    for await (const line of readArchive(file)) {
      if (signal?.aborted) {
        throw new KeepsakeError('ABORTED', 'The import was stopped.', {
          hint: 'Run it again to add the rest; nothing is added twice.',
        });
      }
      if (line.kind === 'record') await taking.record(line);
      if (line.kind === 'message') await taking.message(line);
      if (line.kind === 'item') await taking.item(line);
      if (line.kind === 'boundary') await taking.boundary(line);
      if (line.kind === 'archived') await taking.archived(line);
      if (line.kind === 'file') await taking.file(line);
      const isWhole = ['record', 'message', 'item'].includes(line.kind);
      if (isWhole || (line.kind === 'file' && line.offset === 0)) {
        onProgress?.({ done: ++done, total });
      }
    }
    await taking.flush();
  } finally {
    await taking.close();
    parts.embedder.wake();
  }
  return taking.report;
}
