/** The Postgres engine: one schema of a database that holds the log, the records, the state and the events. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Finding, RestoreOptions, RestoreReport } from '../../ports/maintenance.ts';
import type { Storage } from '../../ports/storage.ts';
import { type ResidentOptions, ResidentSearch } from '../resident-search/index.ts';
import { parseAddress } from './address.ts';
import { Database } from './database.ts';
import { restorePostgres } from './dump.ts';
import { PostgresErasing } from './erasing.ts';
import { PostgresEventStore } from './event-store.ts';
import { examine } from './examine.ts';
import type { BloatOptions } from './examine-bloat.ts';
import { GroupWriter } from './group-writer.ts';
import { PostgresItemStore } from './item-store.ts';
import { PostgresLeaseStore } from './lease-store.ts';
import { channelOf, Listener } from './listener.ts';
import { PostgresLogStore } from './log-store.ts';
import { postgresMaintenance } from './maintenance.ts';
import { PostgresMessageBus } from './message-bus.ts';
import { migrate } from './migrate.ts';
import { PostgresQuarantineStore } from './quarantine-store.ts';
import { isIndexStale, rebuildIndex } from './rebuild-index.ts';
import { areMessageWordsStale, rebuildMessageWords } from './rebuild-messages.ts';
import { PostgresRecordCopies } from './record-copies.ts';
import { PostgresRecordStore } from './record-store.ts';
import { PostgresResidentSource } from './resident-source.ts';
import { PostgresRunStore } from './run-store.ts';
import { PostgresStateStore } from './state-store.ts';
import { PostgresVectorFeed } from './vectors/vector-feed.ts';
import { EXACT_UP_TO, PostgresVectorStore } from './vectors/vector-store.ts';

export interface PostgresOptions {
  /** postgresql://user:password@host:5432/database; `?schema=` names the schema, which is "keepsake" without it. */
  readonly url: string;
  /** As long as a search has no more vectors to look at, it looks at all of them; beyond that it asks an index. */
  readonly exactUpTo?: number;
  /** Whether searches are answered from memory. */
  readonly resident?: ResidentOptions;
}

/** For a process that was told nothing else. */
const RESIDENT_BYTES = 512 * 2 ** 20;

export async function openPostgres({
  url,
  exactUpTo = EXACT_UP_TO,
  resident = { bytes: RESIDENT_BYTES },
}: PostgresOptions): Promise<Storage> {
  const database = await Database.open(parseAddress(url));
  try {
    await migrate(database);
    return await openStores(database, exactUpTo, resident);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openStores(database: Database, exactUpTo: number, options: ResidentOptions): Promise<Storage> {
  const channel = channelOf(database.address.schema);
  const memory = new GroupWriter(database, 'memory', channel);
  const runs = new GroupWriter(database, 'runs', channel);
  const listener = new Listener(database);
  const upgrade = new GroupWriter(database, 'memory', channel, { isPatient: true });
  if (await isIndexStale(database)) await rebuildIndex(upgrade, undefined, isIndexStale);
  if (await areMessageWordsStale(database))
    await rebuildMessageWords(upgrade, undefined, areMessageWordsStale);
  const events = new PostgresEventStore(database, memory, listener);
  const resident = new ResidentSearch(new PostgresResidentSource(database), options);
  const vectors = new PostgresVectorStore(database, memory, exactUpTo, resident);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([memory.close(), runs.close()]);
    listener.close();
    resident.close();
    await database.close();
  };
  return {
    records: new PostgresRecordStore(database, memory, events, vectors, resident),
    copies: new PostgresRecordCopies(database, memory, events),
    feed: new PostgresVectorFeed(database, memory),
    log: new PostgresLogStore(database, memory),
    state: new PostgresStateStore(database, runs, listener),
    bus: new PostgresMessageBus(database, runs, listener),
    runs: new PostgresRunStore(database, runs),
    events,
    leases: new PostgresLeaseStore(database),
    quarantine: new PostgresQuarantineStore(database, memory, events),
    items: new PostgresItemStore(database, memory),
    erasing: new PostgresErasing(database, memory),
    maintenance: postgresMaintenance(database, memory),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Examines a database that nobody has opened, or that cannot be opened. */
export async function examinePostgres({
  url,
  ...options
}: {
  url: string;
  fix: boolean;
} & BloatOptions): Promise<readonly Finding[]> {
  const database = await Database.open(parseAddress(url));
  try {
    return await examine(database, options);
  } finally {
    await database.close();
  }
}

/** Also one that cannot be opened, or that has no tables of ours yet. */
export function restorePostgresFrom(
  url: string,
  source: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  return restorePostgres(parseAddress(url), source, options);
}

/** Renames the schema, with everything in it; says what it is called then. */
export async function setPostgresAside(url: string, stamp: string): Promise<string> {
  const database = await Database.open(parseAddress(url));
  try {
    const { schema } = database.address;
    if (schema === 'public') {
      throw new KeepsakeError(
        'UNSUPPORTED',
        'The schema "public" may hold tables of other programs, so it is not renamed.',
        {
          hint: 'Name a schema of its own in the URL: ?schema=keepsake.',
        },
      );
    }
    // Postgres cuts names after 63 characters.
    const kept = `${schema.slice(0, 40)}_aside_${stamp}`;
    await database.transaction((session) => session.command(`ALTER SCHEMA "${schema}" RENAME TO "${kept}"`));
    return `schema "${kept}"`;
  } finally {
    await database.close();
  }
}
