/** When each key was last used: noted in memory by every request, written to a file of the workspace once a minute. */

import { DocumentFile } from '../documents/index.ts';
import { type Clock, MINUTE } from '../kernel/clock.ts';
import { z } from '../kernel/zod.ts';
import type { FileLock } from '../ports/file-lock.ts';

export interface KeyUseParts {
  readonly path: string;
  /** Root of the workspace. */
  readonly root: string;
  readonly lock: FileLock;
  readonly clock: Clock;
}

const stored = z.record(z.string(), z.int());

/** A damaged file costs the times in it, nothing else. */
function parse(text: string): Record<string, number> {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

export class KeyUse {
  readonly #file: DocumentFile;
  readonly #clock: Clock;
  #seen = new Map<string, number>();

  constructor(parts: KeyUseParts) {
    this.#file = new DocumentFile(parts);
    this.#clock = parts.clock;
  }

  note(id: string): void {
    this.#seen.set(id, this.#clock.now());
  }

  async read(): Promise<Readonly<Record<string, number>>> {
    return parse((await this.#file.read()).text);
  }

  /** Adds what this process saw to what others did; a disk that is full or read-only costs the times only. */
  async save(): Promise<void> {
    const seen = this.#seen;
    if (seen.size === 0) return;
    this.#seen = new Map();
    await this.#file
      .update((text) => {
        const all = parse(text);
        for (const [id, at] of seen) all[id] = Math.max(all[id] ?? 0, at);
        return `${JSON.stringify(all, null, 2)}\n`;
      })
      .catch(() => {});
  }

  /** Saves from time to time; resolves what stops that and saves a last time. */
  keepSaving(): () => Promise<void> {
    const timer = setInterval(() => void this.save(), MINUTE);
    timer.unref();
    return () => {
      clearInterval(timer);
      return this.save();
    };
  }
}
