/** The `storage` block: one engine for everything by default, and any single store moved to another engine. */

import { defined } from '../kernel/defined.ts';
import { z } from '../kernel/zod.ts';
import { filePath, httpUrl, urlLike } from './value-types.ts';

/** Engines that keep everything. */
const MAIN_DRIVERS = ['sqlite', 'postgres'] as const;
/** Working memory lives for hours only, and may be in one that is made for that. */
const STATE_DRIVERS = [...MAIN_DRIVERS, 'redis'] as const;
export type DriverName = (typeof STATE_DRIVERS)[number];

/** Engines that people name in a place where they cannot be, and the key that they belong into. */
export const BELONGS_TO: Readonly<Record<string, string>> = {
  redis: 'storage.state',
  qdrant: 'storage.vectors',
};

export const STORES = ['records', 'log', 'state', 'events'] as const;
export type StoreName = (typeof STORES)[number];

/** Relative to the workspace. */
export const DEFAULT_DATABASE = 'data/keepsake.db';

/** What a store runs on once the block is resolved; SQLite's settings are shared and live in `storage.sqlite`. */
export type StoreChoice =
  | { readonly driver: 'sqlite' }
  | { readonly driver: Exclude<DriverName, 'sqlite'>; readonly url: string; readonly namespace?: string };

const mainUrl = urlLike('postgresql://keepsake@localhost:5432/keepsake');

const namespace = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,60}$/)
  .meta({ title: 'name of letters, digits and hyphens', examples: ['research'] })
  .describe(
    'Workspaces with the same namespace share the runs of their swarms in Redis. Default: a separate namespace per workspace.',
  )
  .optional();

function store<const Drivers extends readonly DriverName[]>(
  what: string,
  drivers: Drivers,
  url: typeof mainUrl,
  more: { readonly namespace?: typeof namespace } = {},
) {
  return z
    .strictObject({
      driver: z
        .enum(drivers)
        .describe('Engine of this store. Default: the engine of the workspace.')
        .optional(),
      url: url
        .describe('Address of that engine. Default: `storage.url`, if the engine is the same.')
        .optional(),
      ...more,
    })
    .describe(what)
    .optional();
}

const vectors = z
  .strictObject({
    driver: z
      .enum(['qdrant'])
      .describe('The vector index server. The engine still stores everything.')
      .optional(),
    url: httpUrl.describe('Address of the server, or of one node of a cluster.').optional(),
    nodes: z
      .array(httpUrl)
      .max(100)
      .describe('Other nodes of the same cluster, used when the first does not answer.')
      .default([]),
    apiKey: z
      .string()
      .min(1)
      .describe('Key of the server. Keep it out of the file: use the environment variable.')
      .optional(),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,60}$/)
      .meta({ title: 'name of letters, digits and hyphens', examples: ['keepsake'] })
      .describe('Prefix of all collection names. A copy of a workspace needs another prefix.')
      .default('keepsake'),
    words: z
      .boolean()
      .describe(
        'Whether Qdrant also searches words where that is faster: with Postgres, from 2,000 memories on.',
      )
      .default(true),
    replicas: z.int().min(1).max(100).describe('Number of cluster nodes that store each vector.').default(1),
  })
  .describe('Server that searches the vectors of long-term memory. The engine still stores them.')
  .optional();

const storageInput = z.strictObject({
  driver: z.enum(MAIN_DRIVERS).describe('Engine of all four stores.').default('sqlite'),
  url: mainUrl
    .describe(
      'Address of the engine, for engines with a server. Keep passwords out of the file: use the environment variable.',
    )
    .optional(),
  records: store('Moves long-term memory to another engine.', MAIN_DRIVERS, mainUrl),
  log: store('Moves the log of messages to another engine.', MAIN_DRIVERS, mainUrl),
  state: store(
    'Moves the working state of swarm runs to another engine. With Redis, servers also share request limits and notify each other of events.',
    STATE_DRIVERS,
    urlLike('redis://localhost:6379'),
    { namespace },
  ),
  events: store('Moves the event stream to another engine.', MAIN_DRIVERS, mainUrl),
  vectors,
  sqlite: z
    .strictObject({
      file: filePath.describe('Database file.').default(DEFAULT_DATABASE),
      busyTimeoutMs: z
        .int()
        .min(0)
        .max(600_000)
        .describe('How long a write waits for a write of another process, in milliseconds.')
        .default(10_000),
      vectorSearch: z
        .enum(['wasm', 'plain', 'sqlite-vec'])
        .describe(
          'How vectors are compared; the results are the same. wasm: in memory; plain: reads them for each search; sqlite-vec: uses that extension (npm install sqlite-vec), and wasm if it cannot be loaded.',
        )
        .default('wasm'),
    })
    .describe('Settings of the embedded engine.')
    .prefault({}),
  postgres: z
    .strictObject({
      searchMemoryMb: z
        .int()
        .min(0)
        .max(1_000_000)
        .describe(
          'How much memory each process may use to answer searches without Postgres, in megabytes. Memories beyond this are searched in Postgres, or in Qdrant if configured. 0: always search there.',
        )
        .default(512),
    })
    .describe('Settings of Postgres as an engine.')
    .prefault({}),
});

/** An index beside the engine. */
export type VectorsChoice = Omit<NonNullable<z.output<typeof vectors>>, 'driver' | 'url'> & {
  readonly driver: 'qdrant';
  readonly url: string;
};

export type StorageConfig = Record<StoreName, StoreChoice> & {
  /** Undefined: the engine searches its vectors by itself. */
  vectors?: VectorsChoice;
  sqlite: z.output<typeof storageInput>['sqlite'];
  postgres: z.output<typeof storageInput>['postgres'];
};

/** Marks an issue that only the merged configuration can have: a URL may come from another layer than its driver. */
export const MERGED_ONLY = { merged: true } as const;

type Report = (path: string[], message: string) => void;

function choose(storage: z.output<typeof storageInput>, name: StoreName, report: Report): StoreChoice {
  const own = storage[name];
  const chosen = own?.driver ?? storage.driver;
  if (chosen === 'sqlite') {
    if (own?.url !== undefined) {
      report([name, 'url'], 'sqlite has no URL; set another "driver", or set "storage.sqlite.file"');
    }
    return { driver: 'sqlite' };
  }
  const shared = chosen === storage.driver;
  const address = own?.url ?? (shared ? storage.url : undefined);
  if (address !== undefined)
    return { driver: chosen, url: address, ...defined({ namespace: namespaceOf(own) }) };
  const key = shared ? 'storage.url' : `storage.${name}.url`;
  const variable = `KEEPSAKE_${key.toUpperCase().replaceAll('.', '_')}`;
  report(
    own?.driver === undefined ? ['driver'] : [name, 'driver'],
    `${JSON.stringify(chosen)} needs a URL; set "${key}" or the environment variable ${variable}`,
  );
  return { driver: chosen, url: '' };
}

/** Only the working state has one. */
const namespaceOf = (own: object | undefined): string | undefined =>
  own !== undefined && 'namespace' in own ? (own.namespace as string | undefined) : undefined;

function chooseIndex(input: z.output<typeof vectors>, report: Report): VectorsChoice | undefined {
  if (input?.url !== undefined) return { ...input, driver: 'qdrant', url: input.url };
  if (input?.driver !== undefined) {
    report(
      ['vectors', 'driver'],
      '"qdrant" needs a URL; set "storage.vectors.url" or the environment variable KEEPSAKE_STORAGE_VECTORS_URL',
    );
  }
  return undefined;
}

export const storage = storageInput.transform((input, context): StorageConfig => {
  const reported = new Set<string>();
  const report: Report = (path, message) => {
    const key = path.join('.');
    if (!reported.has(key)) context.addIssue({ code: 'custom', path, message, params: MERGED_ONLY });
    reported.add(key);
  };
  if (input.driver === 'sqlite' && input.url !== undefined) {
    report(['url'], 'sqlite has no URL; set another "driver", or set "storage.sqlite.file"');
  }
  const index = chooseIndex(input.vectors, report);
  return {
    ...defined({ vectors: index }),
    records: choose(input, 'records', report),
    log: choose(input, 'log', report),
    state: choose(input, 'state', report),
    events: choose(input, 'events', report),
    sqlite: input.sqlite,
    postgres: input.postgres,
  };
});
