/** Final outputs of swarm runs: appended once, seen by every agent, found by their task and by what they say, linked to their runs. */

import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import { validate } from '../kernel/validate.ts';
import { z } from '../kernel/zod.ts';
import {
  addInput,
  MAX_CONTENT_CHARACTERS,
  type MemoryHit,
  type RecordService,
  searchInput,
} from '../records/index.ts';

export const SWARM_COLLECTION = 'swarm-memory';
const MAX_LINKS = 100;
/** Enough of a task to be found by. */
const LONGEST_TASK = 500;

const label = z.string().min(1).max(120);
const { query, limit, minRelevance } = searchInput.shape;

const resultInput = z.strictObject({
  /** What the swarm came to. */
  output: addInput.shape.content,
  /** What it was asked: an answer rarely repeats the words of its question. */
  task: z.string().optional(),
  /** Id of the run. */
  run: label,
  /** Kind of swarm, for example "sequential". */
  type: label,
  /** In US dollars. */
  cost: z.number().nonnegative().optional(),
  model: label.optional(),
  /** Ids of earlier results that this one builds on. */
  links: z.array(label).max(MAX_LINKS).default([]),
});
const findInput = z.strictObject({
  ...{ query, limit, minRelevance },
  /** Only results of swarms of this kind. */
  type: label.optional(),
});

export type SwarmResultInput = z.input<typeof resultInput>;

export interface SwarmResult {
  readonly id: string;
  readonly output: string;
  /** What the swarm was asked, in one line; null where it is not known, as for results of versions before 0.2. */
  readonly task: string | null;
  readonly agent: string;
  readonly run: string;
  /** When it was stored, in ISO 8601. */
  readonly date: string;
  readonly type: string;
  readonly cost: number | null;
  readonly model: string | null;
  readonly links: readonly string[];
}

export type SwarmResultHit = SwarmResult & Pick<MemoryHit, 'relevance' | 'score' | 'explain'>;

export class SwarmResults {
  readonly #records: RecordService;
  readonly #clock: Clock;

  constructor({ records, clock }: { readonly records: RecordService; readonly clock: Clock }) {
    this.#records = records;
    this.#clock = clock;
  }

  /** For the engine: under the name of the lead, with a right that the lead itself does not have. */
  async add(input: SwarmResultInput, caller: Caller): Promise<SwarmResult> {
    const { task: asked = '', ...result } = validate(resultInput, input, 'swarm result');
    const task = inOneLine(asked);
    if (task === '' || contentOf(result.output, task).length > MAX_CONTENT_CHARACTERS) {
      return this.#add(result, undefined, caller);
    }
    return this.#add(result, task, caller).catch((error: unknown) => {
      // A task that speaks of attacks is not a reason to lose what came of it.
      if (KeepsakeError.is(error) && error.code === 'BLOCKED') return this.#add(result, undefined, caller);
      throw error;
    });
  }

  async #add(
    { output, run, type, cost, model, links }: Omit<z.output<typeof resultInput>, 'task'>,
    task: string | undefined,
    caller: Caller,
  ): Promise<SwarmResult> {
    const engine: Caller = { ...caller, viewer: { ...caller.viewer, role: 'admin' } };
    const record = await this.#records.add(
      {
        content: task === undefined ? output : contentOf(output, task),
        ...{ source: 'swarm_result', scope: 'swarm', category: 'swarm_result', origin: 'agent' },
        // Two runs that come to the same result are two results.
        thread: threadOf(run),
        // Every store filters by tags.
        tags: [type],
        metadata: {
          ...{ collection: SWARM_COLLECTION, date: new Date(this.#clock.now()).toISOString(), type, run },
          ...defined({ task, cost, model }),
          ...(links.length === 0 ? {} : { links }),
        },
      },
      engine,
    );
    return toResult(record);
  }

  /** "What did we learn about X last time?" */
  async search(input: z.input<typeof findInput>, caller: Caller): Promise<readonly SwarmResultHit[]> {
    const { type, ...wanted } = validate(findInput, input, 'swarm results');
    const ofType = defined({ swarmType: type });
    const hits = await this.#records.search({ ...wanted, ...ofType, source: 'swarm_result' }, caller);
    return hits.map((hit) => {
      const { relevance, score, explain } = hit;
      return { ...toResult(hit), relevance, score, explain };
    });
  }

  /** What a run came to, if it has a result already. */
  async ofRun(run: string, caller: Caller): Promise<SwarmResult | undefined> {
    const [record] = await this.#records.list(
      { source: 'swarm_result', thread: threadOf(run), limit: 1 },
      caller,
    );
    return record === undefined ? undefined : toResult(record);
  }

  async get(id: string, caller: Caller): Promise<SwarmResult> {
    return toResult(await this.#records.get({ id }, caller));
  }
}

const threadOf = (run: string): string => `run:${run}`;

const inOneLine = (task: string): string => {
  const line = task.replace(/\s+/gu, ' ').trim();
  // A cut may leave half a character at its end.
  return line.length <= LONGEST_TASK
    ? line
    : `${line.slice(0, LONGEST_TASK - 1).replace(/[\ud800-\udbff]$/, '')}…`;
};
/** Begins with more words than a name has: "Task: …" would read like the line of a speaker. */
const contentOf = (output: string, task: string): string => `Task of a swarm: ${task}\nResult: ${output}`;

/** Where the owner wrote another text, that text is the output. */
function outputOf(content: string, task: string | null): string {
  if (task === null) return content;
  return /^Task of a swarm: .*\nResult: (?<output>[\s\S]*)$/u.exec(content)?.groups?.output ?? content;
}

function toResult({ id, content, agent, metadata, createdAt }: MemoryRecord): SwarmResult {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const task = text(metadata.task);
  return {
    ...{ id, output: outputOf(content, task), task, agent },
    run: text(metadata.run) ?? '',
    date: text(metadata.date) ?? new Date(createdAt).toISOString(),
    type: text(metadata.type) ?? '',
    cost: typeof metadata.cost === 'number' ? metadata.cost : null,
    model: text(metadata.model),
    links: Array.isArray(metadata.links) ? metadata.links.filter((link) => typeof link === 'string') : [],
  };
}
