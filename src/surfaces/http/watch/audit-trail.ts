/** The audit trail of a server: which key changed something or read the memory of another agent, one file per day. */
import { appendFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { DAY } from '../../../kernel/clock.ts';
import type { ServerLog } from './server-log.ts';

export interface AuditEntry {
  readonly time: string;
  readonly requestId: string;
  /** Id of the key; `keepsake keys list` says whose it is. */
  readonly key: string;
  readonly role: string;
  /** The agent that the call acted as; absent for the owner of the whole workspace. */
  readonly agent?: string;
  readonly verb: string;
  readonly effect: string;
  /** Present when the call only asked what it would change. */
  readonly dryRun?: true;
  readonly status: number;
}

export interface AuditTrailParts {
  readonly folder: string;
  readonly days: number;
  readonly clock: Clock;
  readonly log: ServerLog;
}

const PRIVATE = { file: 0o600, folder: 0o700 };
/** What a power failure takes from the trail at most. Each call would otherwise cost a second sync of the disk. */
const SYNC_MS = 1_000;
const FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

export class AuditTrail {
  readonly #parts: AuditTrailParts;
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #sweptOn = '';
  #isFailing = false;
  /** The file that has lines which are not on the disk yet. */
  #unsynced: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AuditTrailParts) {
    this.#parts = parts;
  }

  /** Takes an entry; it is on its way to the file when this returns, and there when `settled` resolves. */
  add(entry: Omit<AuditEntry, 'time'>): void {
    const { days, clock } = this.#parts;
    if (days === 0) return;
    this.#waiting.push(JSON.stringify({ time: new Date(clock.now()).toISOString(), ...entry }));
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#write());
  }

  /** Resolves when everything that was added is on the disk. */
  async settled(): Promise<void> {
    await this.#writing;
    clearTimeout(this.#timer);
    await this.#sync();
  }

  #syncSoon(file: string): void {
    if (this.#unsynced !== undefined && this.#unsynced !== file) void this.#sync();
    if (this.#unsynced === undefined) this.#timer = setTimeout(() => void this.#sync(), SYNC_MS).unref();
    this.#unsynced = file;
  }

  async #sync(): Promise<void> {
    const file = this.#unsynced;
    this.#unsynced = undefined;
    if (file === undefined) return;
    try {
      const handle = await open(file, 'r+');
      await handle.datasync().finally(() => handle.close());
    } catch (error) {
      this.#parts.log.add('error', 'audit.unsynced', { problem: String(error) });
    }
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    const { folder, clock, log } = this.#parts;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    try {
      await mkdir(folder, { recursive: true, mode: PRIVATE.folder });
      const file = join(folder, `${day}.jsonl`);
      await appendFile(file, `${lines.join('\n')}\n`, { mode: PRIVATE.file });
      this.#syncSoon(file);
      if (this.#sweptOn !== day) await this.#sweep(day);
      if (this.#isFailing) log.add('info', 'audit.back');
      this.#isFailing = false;
    } catch (error) {
      // A full disk must not stop those who only read; the operator is told once.
      if (!this.#isFailing) log.add('error', 'audit.lost', { entries: lines.length, problem: String(error) });
      this.#isFailing = true;
    }
  }

  /** Removes what is older than the trail goes back. */
  async #sweep(today: string): Promise<void> {
    const { folder, days } = this.#parts;
    const oldest = new Date(Date.parse(today) - days * DAY).toISOString().slice(0, 10);
    for (const name of await readdir(folder)) {
      const day = FILE.exec(name)?.[1];
      if (day !== undefined && day < oldest) await rm(join(folder, name), { force: true });
    }
    this.#sweptOn = today;
  }
}
