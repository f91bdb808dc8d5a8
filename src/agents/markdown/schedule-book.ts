/** When scheduled agents ran last, in a small file of the workspace, so that a restart neither repeats nor forgets a run. */
import { z } from 'zod';
import { DocumentFile } from '../../documents/index.ts';
import type { FileLock } from '../../ports/file-lock.ts';

const entry = z.object({
  /** When the schedule was first seen; what a cron pattern counts from before the first run. */
  since: z.number(),
  started: z.number().optional(),
  ended: z.number().optional(),
  outcome: z.enum(['completed', 'failed', 'aborted']).optional(),
});
const book = z.object({ version: z.literal(1), agents: z.record(z.string(), entry) });

export type ScheduleEntry = z.output<typeof entry>;
type Book = z.output<typeof book>;

/** A file that cannot be read costs no more than one run too many; it is begun anew. */
function parse(text: string): Book {
  try {
    return book.parse(JSON.parse(text));
  } catch {
    return { version: 1, agents: {} };
  }
}

export class ScheduleBook {
  readonly #document: DocumentFile;

  constructor(options: { readonly path: string; readonly root: string; readonly lock: FileLock }) {
    this.#document = new DocumentFile(options);
  }

  async read(): Promise<ReadonlyMap<string, ScheduleEntry>> {
    const { text } = await this.#document.read();
    return new Map(Object.entries(parse(text).agents));
  }

  /** Changes what is written about one agent; what is not mentioned stays. */
  async note(agent: string, now: number, facts: Partial<ScheduleEntry>): Promise<void> {
    await this.#document.update((text) => {
      const { agents } = parse(text);
      const before = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
      const after = { since: now, ...before, ...facts };
      return `${JSON.stringify({ version: 1, agents: { ...agents, [agent]: after } }, null, 2)}\n`;
    });
  }
}
