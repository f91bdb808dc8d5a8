/** Records sessions that wait for their review, one file each, so that a crash loses nothing. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from '../kernel/zod.ts';

const note = z.object({
  version: z.literal(1),
  session: z.string().min(1),
  agent: z.string().min(1),
  user: z.string().optional(),
  kind: z.string(),
  /** Ids of what was said. The words are in the log alone, where they can be deleted. */
  messages: z.array(z.string()),
  at: z.number(),
  /** How often a review of it was begun and not finished. */
  attempts: z.number(),
  writer: z.object({ host: z.string(), pid: z.number(), instance: z.string() }),
});

export type ReviewNote = Omit<z.output<typeof note>, 'version' | 'writer'>;

/** Tells this process from an earlier one that had the same number, as the first of every container does. */
const INSTANCE = crypto.randomUUID();
/** Numbers of processes are used again; after so long the writer is taken for dead whatever lives under its number. */
const LONGEST_SESSION = 24 * 3_600_000;
/** What was said longer ago is not news: what is known since then must not be overwritten by it. */
const TOO_OLD = 7 * 24 * 3_600_000;
/** A review that failed so often will fail again. */
export const MOST_ATTEMPTS = 3;

const isName = (name: string): boolean => /^[\w-]+\.json$/.test(name);

export class ReviewNotes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Without waiting for the disk: what matters is that it outlives the process, which the system sees to. */
  async write(given: ReviewNote): Promise<void> {
    const path = this.#path(given.session);
    const writer = { host: hostname(), pid: process.pid, instance: INSTANCE };
    const text = JSON.stringify({ version: 1, ...given, writer });
    const draft = `${path}.new`;
    await writeFile(draft, text, { mode: 0o600 }).catch(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, text, { mode: 0o600 });
    });
    await rename(draft, path);
  }

  async remove(session: string): Promise<void> {
    await rm(this.#path(session), { force: true });
  }

  /**
   * Those of the agent whose process is gone, and those that this process failed at: their sessions are `own`. What can
   * be of no use any more is removed.
   */
  async left(
    agent: string,
    now: number,
    own: ReadonlySet<string> = new Set(),
  ): Promise<readonly ReviewNote[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(names.filter(isName).map((name) => this.#read(name)));
    const open: ReviewNote[] = [];
    for (const { writer, ...each } of found.flatMap((entry) => entry ?? [])) {
      const age = now - each.at;
      // Also those of agents that never run again.
      if (age > TOO_OLD) await this.remove(each.session);
      else if (each.agent !== agent || (!own.has(each.session) && isAlive(writer, age))) continue;
      else if (each.attempts >= MOST_ATTEMPTS) await this.remove(each.session);
      else open.push(each);
    }
    return open.sort((a, b) => a.at - b.at);
  }

  #path(session: string): string {
    return join(this.#folder, `${session}.json`);
  }

  async #read(name: string): Promise<z.output<typeof note> | undefined> {
    const path = join(this.#folder, name);
    // Taken up by another process a moment ago.
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return note.parse(JSON.parse(text));
    } catch {
      // Cut off by a power failure: there is nothing to learn from it.
      await rm(path, { force: true });
      return undefined;
    }
  }
}

function isAlive({ host, pid, instance }: z.output<typeof note>['writer'], age: number): boolean {
  if (instance === INSTANCE) return true;
  if (age > LONGEST_SESSION) return false;
  if (host !== hostname()) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
