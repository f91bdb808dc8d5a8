/** The progress of an erasure in a file, so that it can continue after a crash without losing counts. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../kernel/defined.ts';
import type { Erased, SweptThread } from '../../ports/erasing.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';

/** What was erased so far and what remains to be swept: outlives a crash in between, and is removed at the end. */
export interface Progress {
  readonly startedAt: number;
  /** Only until the erasure is finished: once messages and memories are gone, nothing else names the user to continue with. */
  readonly user?: string;
  readonly threads: SweptThread[];
  readonly records: string[];
  readonly messages: string[];
  readonly runs: string[];
  readonly counts: Record<Counted, number>;
  /** What the removal that was begun was about to remove; zeros while none is under way. */
  readonly pending: Record<Counted, number>;
}

export const COUNTED = ['events', 'quarantined', 'marks', 'items', 'files'] as const;
export type Counted = (typeof COUNTED)[number];
export const noCounts = (): Record<Counted, number> => ({
  events: 0,
  quarantined: 0,
  marks: 0,
  items: 0,
  files: 0,
});

const PENDING = '.pending.json';
export const notesFolder = ({ dataFolder }: WorkspacePaths): string => join(dataFolder, 'erasures');

export class ErasingNote {
  readonly #file: string;
  readonly #user: string | undefined;

  constructor(paths: WorkspacePaths, subject: string, { user }: Erased) {
    this.#file = join(notesFolder(paths), `${subject}${PENDING}`);
    this.#user = user;
  }

  async read(now: number): Promise<Progress> {
    const counts = { counts: noCounts(), pending: noCounts() };
    const fresh = { startedAt: now, threads: [], records: [], messages: [], runs: [], ...counts };
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    const before = text === undefined ? {} : (JSON.parse(text) as Progress);
    return { ...fresh, ...before, ...defined({ user: this.#user }) };
  }

  /** Before what it is about is erased: afterwards nobody could tell. */
  async write(progress: Progress): Promise<void> {
    await mkdir(join(this.#file, '..'), { recursive: true, mode: 0o700 });
    await writeFile(`${this.#file}.new`, JSON.stringify(progress), { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

/** Users whose erasure did not come to its end. */
export async function interruptedUsers(paths: WorkspacePaths): Promise<string[]> {
  const folder = notesFolder(paths);
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(PENDING));
  const texts = await Promise.all(notes.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => (JSON.parse(text) as Progress).user ?? []);
}
