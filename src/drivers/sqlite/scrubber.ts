/** Removes erased data that SQLite leaves in its journal and in unused parts of pages. */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Erasure } from '../../ports/record-store.ts';
import type { GroupWriter } from './group-writer.ts';

export type Scrubbed = Pick<Erasure, 'journalErased' | 'pagesErased'>;

/** Rewriting this much takes about half a second, for which every other writer waits. */
const MAX_REWRITE_BYTES = 64 * 2 ** 20;
const TRIES = 5;
const PAUSE_MS = 20;

const TRACES = 'traces';

/** Remembers whether unused parts of pages may still hold what was forgotten, so that `doctor --fix` can finish the job. */
export function noteTraces(database: Database, left: boolean): void {
  if (left) database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, 'left')").run(TRACES);
  else database.prepare('DELETE FROM meta WHERE key = ?').run(TRACES);
}

export function hasTraces(database: Database): boolean {
  return database.prepare('SELECT 1 FROM meta WHERE key = ?').get(TRACES) !== undefined;
}

/** What is left, in words for a person. */
export function keptByEngine(file: string, { journalErased, pagesErased }: Scrubbed): string[] {
  return [
    ...(pagesErased
      ? []
      : [`unused parts of pages of ${basename(file)}, until "keepsake vacuum" rewrites it`]),
    ...(journalErased ? [] : [`${basename(file)}-wal, until the processes that read it are done`]),
  ];
}

export class Scrubber {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  #next: Promise<Scrubbed> | undefined;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  /** After the commit of what was erased. It is gone by then: traces that could not be wiped are told, and no failure. */
  async run(): Promise<Scrubbed> {
    let pagesErased = false;
    for (let tries = 1; ; tries++) {
      // All that was erased before it begins shares one scrubbing.
      this.#next ??= this.#writer
        .between(() => {
          this.#next = undefined;
          return this.#scrub();
        })
        .catch(() => ({ journalErased: false, pagesErased: false }));
      const done = await this.#next;
      pagesErased ||= done.pagesErased;
      const finished = done.journalErased && (pagesErased || this.#size() > MAX_REWRITE_BYTES);
      if (finished || tries === TRIES) return { journalErased: done.journalErased, pagesErased };
      await sleep(PAUSE_MS);
    }
  }

  #scrub(): Scrubbed {
    const pagesErased = this.#size() <= MAX_REWRITE_BYTES && this.#rewrite();
    noteTraces(this.#database, !pagesErased);
    // Old pages stay in the write-ahead log until it is emptied; a reader in another process can delay that.
    const [checkpoint] = this.#database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return { journalErased: checkpoint?.busy === 0, pagesErased };
  }

  /**
   * `secure_delete` wipes what is deleted, but not the copies that a page keeps in its unused part when its rows move to
   * a neighbour: seen with 2 of 1,000 forgotten records. Only new pages are surely free of them.
   */
  #rewrite(): boolean {
    try {
      this.#database.exec('VACUUM');
      return true;
    } catch {
      return false;
    }
  }

  #size(): number {
    const pages = this.#database.pragma('page_count', { simple: true }) as number;
    return pages * (this.#database.pragma('page_size', { simple: true }) as number);
  }
}
