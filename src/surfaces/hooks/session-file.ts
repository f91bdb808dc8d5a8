/** Stores what a conversation was already shown, because each hook is a separate process. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../kernel/clock.ts';

export interface Shown {
  readonly id: string;
  readonly version: number;
}

interface Content {
  readonly shown: readonly string[];
  /** Names of remarks that were made. */
  readonly told: readonly string[];
}

const EMPTY: Content = { shown: [], told: [] };
/** A conversation that is resumed later is shown its memories once more. */
const KEPT_FOR = 14 * DAY;
/** Ids only, but a conversation of weeks needs no end of them. */
const MOST_SHOWN = 2_000;

const keyOf = ({ id, version }: Shown): string => `${id}@${version}`;

export class SessionFile {
  /** The thread of summaries of this conversation. */
  readonly thread: string;
  readonly #folder: string;
  readonly #file: string;
  #content: Content | undefined;

  constructor(dataFolder: string, session = 'unknown') {
    this.thread = `session:${session}`.slice(0, 128);
    this.#folder = join(dataFolder, 'hook-sessions');
    const name = createHash('sha256').update(session).digest('hex').slice(0, 32);
    this.#file = join(this.#folder, `${name}.json`);
  }

  wasShown(memory: Shown): boolean {
    return this.#read().shown.includes(keyOf(memory));
  }

  wasTold(remark: string): boolean {
    return this.#read().told.includes(remark);
  }

  async add(memories: readonly Shown[]): Promise<void> {
    if (memories.length === 0) return;
    this.#content = undefined;
    const { shown, told } = this.#read();
    const all = [...new Set([...shown, ...memories.map(keyOf)])].slice(-MOST_SHOWN);
    this.#write({ shown: all, told });
  }

  async tell(remark: string): Promise<void> {
    this.#content = undefined;
    const { shown, told } = this.#read();
    if (!told.includes(remark)) this.#write({ shown, told: [...told, remark] });
  }

  /** The conversation no longer holds what it was shown. */
  async reset(now: number): Promise<void> {
    this.#content = EMPTY;
    rmSync(this.#file, { force: true });
    this.#removeOld(now);
  }

  #read(): Content {
    if (this.#content !== undefined) return this.#content;
    try {
      const { shown, told } = JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Content>;
      this.#content = { shown: shown ?? [], told: told ?? [] };
    } catch {
      this.#content = EMPTY;
    }
    return this.#content;
  }

  #write(content: Content): void {
    this.#content = content;
    const draft = `${this.#file}.${process.pid}.new`;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    renameSync(draft, this.#file);
  }

  #removeOld(now: number): void {
    try {
      for (const name of readdirSync(this.#folder)) {
        const file = join(this.#folder, name);
        if (now - statSync(file).mtimeMs > KEPT_FOR) rmSync(file, { force: true });
      }
    } catch {
      // Nothing there, or another hook was quicker.
    }
  }
}
