/** The ordinary client `pg`, loaded when it is first needed, and what our connections ask of it. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { loadPackage } from '../../runtime/load-package.ts';
import type { Address } from './address.ts';
import { decodeText } from './text-values.ts';

interface Answer {
  readonly command: string;
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

interface Question {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Makes the server keep the plan under this name. */
  readonly name?: string;
}

export interface Client {
  connect(): Promise<unknown>;
  query(question: Question): Promise<Answer>;
  on(event: string, listener: (detail: never) => void): unknown;
  end(): Promise<void>;
  unref(): void;
  /** The socket, to be cut when nobody answers. */
  readonly connection: { readonly stream: { destroy(): void } };
}

export interface PooledClient extends Client {
  /** True: it is of no use any more. */
  release(isBroken?: boolean): void;
}

export interface Pool {
  connect(): Promise<PooledClient>;
  on(event: 'connect' | 'remove', listener: (client: Client) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  end(): Promise<void>;
}

type Parser = (text: string) => unknown;

interface PgModule {
  readonly Client: new (settings: object) => Client;
  readonly Pool: new (settings: object) => Pool;
  readonly types: { getTypeParser(oid: number, format?: string): Parser };
}

/** Numbers of types in Postgres, which never change. */
const BIGINT = 20;
const TEXT = 25;
const TEXT_ARRAY = 1009;

/** What administrators see in pg_stat_activity. */
export const APPLICATION = 'keepsake';
/** No connection is waited for any longer. */
export const CONNECT_MS = 1_400;
/** How long one statement may wait for others, and how long it may take. */
const LOCK_MS = 10_000;
const STATEMENT_MS = 60_000;
/** A process that stands still in the middle of a transaction must not hold up the others forever. */
const IDLE_IN_TRANSACTION_MS = 10_000;

export async function loadPg(): Promise<PgModule> {
  try {
    return loadPackage<PgModule>('pg');
  } catch (error) {
    throw new KeepsakeError('UNSUPPORTED', 'The package "pg" is not installed.', {
      cause: error,
      hint: 'Install it with "npm install pg", or use the embedded storage.',
    });
  }
}

/** How many candidates an index of pgvector looks at for a search of the usual size; told once, not with each search. */
export const USUAL_EFFORT = 128;

/** What a connection is set to when it begins, unless the address says otherwise. */
export type Settings = Readonly<Record<string, string | number>>;

const SETTINGS: Settings = {
  lock_timeout: LOCK_MS,
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  // A filter over an index must not leave too few: pgvector then looks further, up to so many.
  'hnsw.iterative_scan': 'relaxed_order',
  'hnsw.ef_search': USUAL_EFFORT,
  'hnsw.max_scan_tuples': 100_000,
  // A search takes milliseconds: to start helpers for it takes longer than they save, and searches come many at once.
  max_parallel_workers_per_gather: 0,
};

/** Told in a statement, because poolers refuse or overlook what is told while a connection is made. */
export function settingsFor({ schema, options }: Address): Settings {
  const ours = Object.entries(SETTINGS).filter(([name]) => !options.includes(`${name}=`));
  // Where pgvector may have been installed comes after our own tables.
  return { ...Object.fromEntries(ours), search_path: `${schema},public,extensions` };
}

/** What the client is told to make a connection. */
export function connectionTo({ url, options }: Address, { types }: PgModule): object {
  return {
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(options === '' ? {} : { options }),
    types: { getTypeParser: (oid: number, format?: string) => parserFor(oid, format, types) },
  };
}

function parserFor(oid: number, format: string | undefined, types: PgModule['types']): Parser {
  const parse = types.getTypeParser(oid, format);
  if (format === 'binary') return parse;
  // Times and counts: far below 2⁵³.
  if (oid === BIGINT) return Number;
  if (oid === TEXT) return decodeText;
  if (oid === TEXT_ARRAY) return (text) => (parse(text) as string[]).map(decodeText);
  return parse;
}
