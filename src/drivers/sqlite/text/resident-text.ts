/** Decides when to keep the text index in memory, and whether it is current enough to answer. */
import type { Database } from 'better-sqlite3';
import { type Afterwards, Readiness, type ResidentWords } from '../../resident-search/index.ts';
import { MemoryTextIndex } from './memory-text-index.ts';
import { totalsReader } from './totals.ts';

/** Work in the background stops for others after this time. */
const SLICE_MS = 4;
/** From one slice to the next. */
const BREATH_MS = 1;
/** At most one slice in this time while searches wait for it. */
const PAUSE_MS = 5 * SLICE_MS;
/**
 * Where FTS5 takes long to answer, slices are as long as this part of the time since the last one: with 100,000 records a search
 * takes as long as 25 slices, and a program that does nothing else would wait for the index for a minute.
 */
const SHARE = 1 / 3;
const LONGEST_SLICE_MS = 60;
/** More changes than this are taken over in the background, while FTS5 answers. */
const MOST_CHANGES = 64;

export class ResidentText {
  readonly #database: Database;
  readonly #isEager: boolean;
  readonly #onReady: () => void;
  readonly #readiness: Readiness;
  readonly #totals;
  readonly #dataVersion;
  readonly #ownChanges;
  #index: MemoryTextIndex | undefined;
  #isReady = false;
  /** Whether a slice is on its way. */
  #isWorking = false;
  #lastSlice = performance.now();
  /** The state of the database that it was last compared with. */
  #seen = { version: -1, changes: -1 };

  /** Eager: at once, on the first search, instead of in the background. Tells when it first is ready. */
  constructor(database: Database, isEager: boolean, onReady: () => void) {
    this.#onReady = onReady;
    this.#database = database;
    this.#isEager = isEager;
    this.#readiness = new Readiness(isEager);
    this.#totals = totalsReader(database);
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#ownChanges = database.prepare('SELECT total_changes()').pluck();
  }

  /** Whether there is anything to ask. A query that it cannot answer yet is a reason to begin. */
  isReady(): boolean {
    if (this.#isReady) return true;
    if (!this.#readiness.isDue()) return false;
    if (this.#isEager) return true;
    // A program that does nothing but search leaves no time for the background, so a little is done in between.
    const since = performance.now() - this.#lastSlice;
    if (this.#isWorking && since > PAUSE_MS)
      this.#slice(Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, SHARE * since)));
    if (!this.#isReady) this.#work();
    return this.#isReady;
  }

  /** The index, if the database is as it was when the two were last compared. Answers that come from the index alone need no transaction. */
  unchanged(): ResidentWords | undefined {
    if (!this.#isReady) return undefined;
    const { version, changes } = this.#state();
    return version === this.#seen.version && changes === this.#seen.changes ? this.#index?.words : undefined;
  }

  /** The index as the database is now, or undefined when FTS5 has to answer. Inside a transaction, so it is one moment. */
  upToDate(): ResidentWords | undefined {
    if (!this.#isReady && this.#isEager) {
      this.#index ??= new MemoryTextIndex(this.#database);
      this.#settle(this.#index.advance(Number.POSITIVE_INFINITY));
    }
    if (!this.#isReady) return undefined;
    const { version, changes } = this.#state();
    if (version !== this.#seen.version || changes !== this.#seen.changes) {
      this.#settle(this.#index!.follow(MOST_CHANGES));
      // FTS5 counts its rows and words.
      if (this.#isReady && !this.#index!.words.agreesWith(this.#totals())) this.#giveUp('backOff');
      if (!this.#isReady) return undefined;
      this.#seen = { version, changes };
    }
    return this.#index?.words;
  }

  /** Takes over changes soon, although nobody asks: words that were forgotten must not stay. */
  refresh(): void {
    if (this.#index !== undefined) this.#work();
  }

  /** For when anything went wrong: it is rebuilt when it is wanted again. */
  drop(): void {
    this.#giveUp('tryAgain');
  }

  #state() {
    return { version: this.#dataVersion.get() as number, changes: this.#ownChanges.get() as number };
  }

  #settle(progress: ReturnType<MemoryTextIndex['follow']>): void {
    if (progress === 'full') this.#giveUp('never');
    else if (progress === 'lost') this.#giveUp('beginAgain');
    else {
      this.#isReady = progress === 'current';
      if (this.#isReady) this.#onReady();
      else this.#work();
    }
  }

  #giveUp(afterwards: Afterwards): void {
    this.#index = undefined;
    this.#isReady = false;
    this.#seen = { version: -1, changes: -1 };
    this.#readiness[afterwards]();
  }

  /** Goes on in slices until it is current. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    // A process that has nothing else to do may end. (An immediate that is let go of like this would not wake a process
    // that waits for requests.)
    setTimeout(() => {
      this.#isWorking = false;
      this.#slice(SLICE_MS);
    }, BREATH_MS).unref();
  }

  #slice(milliseconds: number): void {
    const deadline = performance.now() + milliseconds;
    try {
      if (!this.#database.open) throw new Error('Closed.');
      this.#index ??= new MemoryTextIndex(this.#database);
      this.#settle(this.#index.advance(deadline));
    } catch {
      // Closed, or whatever it is: whoever searches next will be told by SQLite itself.
      this.#giveUp('backOff');
    }
    this.#lastSlice = performance.now();
  }
}
