/** A fixed sequence of writes over every store, and how to see in the database that each one happened. */
import type { Database } from 'better-sqlite3';
import type { RecordDraft } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';

const AT = 1_700_000_000_000;
const AGENT = 'tester';
const CONTEXT = { at: AT, viewer: { agent: AGENT, role: 'worker' }, via: 'sdk' } as const;
const OPTIONS = { maxFacts: 1_000 };

function draft(id: string, content: string): RecordDraft {
  return {
    id,
    agent: AGENT,
    scope: 'agent',
    source: 'manual',
    category: 'fact',
    confidence: 1,
    content,
    tags: [],
    metadata: {},
    origin: 'user',
    pinned: false,
    thread: null,
    user: null,
    validFrom: null,
    expiresAt: null,
  };
}

/** What the sequence finds: three records, the second with two versions. */
export async function addTemplate({ records }: Storage): Promise<void> {
  for (const id of ['mem_a', 'mem_b', 'mem_c']) await records.add(draft(id, `first ${id}`), OPTIONS, CONTEXT);
  await records.update('mem_b', { content: 'second mem_b' }, OPTIONS, CONTEXT);
}

export interface Step {
  readonly name: string;
  run(storage: Storage): Promise<unknown>;
  /** A query whose answer is 1 once the step happened, and 0 before. */
  readonly happened: string;
}

function adding(name: string): Step {
  return {
    name: `add ${name}`,
    run: ({ records }) => records.add(draft(`mem_${name}`, `new ${name}`), OPTIONS, CONTEXT),
    happened: `SELECT count(*) FROM records WHERE id = 'mem_${name}' AND content = 'new ${name}' AND version = 1`,
  };
}

/** The steps of one inner list run at once, and so share a transaction. */
export const SEQUENCE: readonly (readonly Step[])[] = [
  [adding('one')],
  [adding('two'), adding('three'), adding('four')],
  [
    {
      name: 'update',
      run: ({ records }) => records.update('mem_a', { content: 'changed' }, OPTIONS, CONTEXT),
      happened: "SELECT count(*) FROM records WHERE id = 'mem_a' AND content = 'changed' AND version = 2",
    },
  ],
  [
    {
      name: 'undo',
      run: ({ records }) => records.revert('mem_b', undefined, OPTIONS, CONTEXT),
      happened: "SELECT count(*) FROM records WHERE id = 'mem_b' AND content = 'first mem_b' AND version = 3",
    },
  ],
  [
    {
      name: 'log',
      run: ({ log }) =>
        log.append([
          {
            id: 'msg_one',
            agent: AGENT,
            thread: AGENT,
            run: null,
            role: 'user',
            content: 'hello',
            text: 'hello',
            metadata: {},
            at: AT,
          },
        ]),
      happened: `SELECT count(*) FROM messages WHERE id = 'msg_one' AND content = '"hello"'`,
    },
    {
      name: 'state',
      run: ({ state }) =>
        state.create({ run: 'run_one', document: { a: 1 }, by: AGENT, at: AT, leaseUntil: AT }),
      happened: `SELECT count(*) FROM states WHERE run = 'run_one' AND document = '{"a":1}' AND version = 1`,
    },
  ],
  [
    {
      name: 'forget',
      run: ({ records }) => records.forget('mem_c', CONTEXT),
      happened:
        "SELECT count(*) FROM records WHERE id = 'mem_c' AND content = '' AND forgotten_at IS NOT NULL",
    },
  ],
  [
    {
      name: 'count access',
      run: ({ records }) => records.countAccess(['mem_a'], 'access', AT),
      happened: "SELECT count(*) FROM records WHERE id = 'mem_a' AND access_count = 1",
    },
  ],
  [adding('five')],
];

/** Reads of every kind; they change nothing, but must fail with an error that we know. */
export const READS: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  get: ({ records }) => records.get('mem_a', CONTEXT.viewer, AT),
  list: ({ records }) => records.list({ viewer: CONTEXT.viewer, now: AT, filter: {}, limit: 10 }),
  history: ({ records }) => records.history('mem_b', CONTEXT.viewer),
  search: ({ records }) =>
    records.searchText({ viewer: CONTEXT.viewer, now: AT, filter: {}, terms: ['first'], limit: 10 }),
  messages: ({ log }) => log.read({ agent: AGENT, limit: 10 }),
  'read state': ({ state }) => state.read('run_one'),
  'read events': ({ events }) => events.read({ limit: 10 }),
};

/** Names of the steps whose effect the database shows. */
export function stepsIn(database: Database): Set<string> {
  return new Set(
    SEQUENCE.flat()
      .filter(({ happened }) => database.prepare(happened).pluck().get() === 1)
      .map(({ name }) => name),
  );
}
