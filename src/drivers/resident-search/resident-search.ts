/** Keeps a store's records in memory and in step with it: every answer knows all that was committed before it was asked for. */
import { canScan } from '../search-kernels/vectors/scan-kernel.ts';
import { Logarithms } from './logarithms.ts';
import { type Afterwards, Readiness } from './readiness.ts';
import { ResidentReads } from './resident-reads.ts';
import { ResidentRecords, type ResidentRow } from './resident-records.ts';

/** What a store says about its state at one moment. */
export interface Head<Position> {
  /** How far the changes that it told of go. */
  readonly position: Position;
  /** How many records can be found by words, and how many words they have: so a change that went unnoticed shows. */
  readonly records: number;
  readonly words: number;
}

export interface News<Position> extends Head<Position> {
  /** Records that changed, as they are now. */
  readonly rows: readonly ResidentRow[];
  /** There are further changes. */
  readonly more: boolean;
}

/** What a driver feeds it with. */
export interface ResidentSource<Position> {
  /** The position from which on changes will be told. */
  head(): Promise<Head<Position>>;
  /** The next records by their numbers. */
  page(afterRid: number, limit: number): Promise<readonly ResidentRow[]>;
  /** What was committed since; undefined when that is not known, so that everything must be read again. */
  since(position: Position): Promise<News<Position> | undefined>;
  /** Natural logarithms, as the engine computes them. */
  logarithms(values: readonly number[]): Promise<readonly number[]>;
}

export interface ResidentOptions {
  /** How much memory it may take; 0: the engine answers everything. */
  readonly bytes: number;
  /** Reads everything on the first search instead of in the background. */
  readonly isEager?: boolean;
}

/** Records read at a time. */
const PAGE = 128;
/** What was forgotten elsewhere leaves the memory of a process that nobody asks, after this time. */
const LOOK_MS = 5_000;
/** Memory that nobody has used for so long is given back. */
const IDLE_MS = 10 * 60_000;

interface Held<Position> {
  readonly records: ResidentRecords;
  readonly reads: ResidentReads;
  position: Position;
}

export class ResidentSearch<Position> {
  readonly #source: ResidentSource<Position>;
  readonly #logarithms: Logarithms;
  readonly #bytes: number;
  readonly #isEager: boolean;
  readonly #readiness: Readiness;
  #held: Held<Position> | undefined;
  #loading: Promise<void> | undefined;
  #looking: Promise<unknown> | undefined;
  #nextLook: Promise<ResidentReads | undefined> | undefined;
  #catchingUp = false;
  #usedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(source: ResidentSource<Position>, { bytes, isEager = false }: ResidentOptions) {
    this.#source = source;
    this.#logarithms = new Logarithms((values) => source.logarithms(values));
    this.#bytes = canScan() ? bytes : 0;
    this.#isEager = isEager;
    this.#readiness = new Readiness(isEager);
  }

  /** Roughly how much memory it takes now. */
  get bytes(): number {
    return this.#held?.records.bytes ?? 0;
  }

  /** Undefined when the engine has to answer. */
  async current(): Promise<ResidentReads | undefined> {
    if (this.#bytes === 0 || this.#isClosed) return undefined;
    this.#usedAt = performance.now();
    if (this.#held === undefined) {
      this.#begin();
      if (this.#isEager) await this.#loading;
    }
    if (this.#held === undefined || (this.#catchingUp && !this.#isEager)) return undefined;
    return this.#look();
  }

  /** After a forget: what was forgotten leaves the memory too. */
  async refresh(): Promise<void> {
    if (this.#held !== undefined) await this.#look().catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#held = undefined;
    clearTimeout(this.#timer);
  }

  #begin(): void {
    if (this.#loading !== undefined || !this.#readiness.isDue()) return;
    this.#loading = this.#load()
      // The next search fails with the error of the engine.
      .catch(() => this.#drop('tryAgain'))
      .finally(() => {
        this.#loading = undefined;
      });
  }

  async #load(): Promise<void> {
    const records = new ResidentRecords(this.#logarithms.of);
    // Asked for before the records: a change from now on is applied twice rather than never.
    const { position } = await this.#source.head();
    for (let last = 0; ; ) {
      const rows = await this.#source.page(last, PAGE);
      if (this.#isClosed) return;
      if (!records.put(rows) || records.bytes > this.#bytes) return this.#drop('never');
      if (rows.length < PAGE) break;
      last = rows.at(-1)!.rid;
    }
    this.#held = { records, reads: new ResidentReads(records, this.#logarithms), position };
    this.#lookLater();
  }

  /** Those who ask while a look is under way share the next one: theirs must begin after they asked. */
  #look(): Promise<ResidentReads | undefined> {
    this.#nextLook ??= (async () => {
      await this.#looking;
      const look = this.#follow();
      this.#looking = look.catch(() => {});
      this.#nextLook = undefined;
      return look;
    })();
    return this.#nextLook;
  }

  async #follow(): Promise<ResidentReads | undefined> {
    const held = this.#held;
    if (held === undefined) return undefined;
    for (;;) {
      const news = await this.#source.since(held.position);
      if (this.#held !== held) return undefined;
      if (news === undefined) return this.#drop('beginAgain');
      const { records } = held;
      if (!records.put(news.rows) || records.bytes > this.#bytes) return this.#drop('never');
      held.position = news.position;
      if (news.more) {
        if (this.#isEager || this.#catchingUp) continue;
        this.#catchUp();
        return undefined;
      }
      if (!records.words.agreesWith(news)) return this.#drop('backOff');
      return records.words.isWorn ? this.#drop('beginAgain') : held.reads;
    }
  }

  /** Many changes are taken over in the background, while the engine answers. */
  #catchUp(): void {
    this.#catchingUp = true;
    void this.#look()
      .catch(() => {})
      .finally(() => {
        this.#catchingUp = false;
      });
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#held === undefined || this.#isClosed) return;
      if (performance.now() - this.#usedAt > IDLE_MS) this.#drop('beginAgain');
      else void this.refresh().finally(() => this.#lookLater());
    }, LOOK_MS).unref();
  }

  #drop(afterwards: Afterwards): undefined {
    this.#held = undefined;
    this.#readiness[afterwards]();
    clearTimeout(this.#timer);
  }
}
