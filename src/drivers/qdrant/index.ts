/** The Qdrant driver: an index of the vectors that the main storage holds; what Qdrant lacks can always be rebuilt. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Finding } from '../../ports/maintenance.ts';
import type { Storage } from '../../ports/storage.ts';
import { Carrier } from './carrier.ts';
import { type QdrantAddress, QdrantClient } from './client.ts';
import { type CollectionOptions, Collections, DEFAULT_PREFIX } from './collections.ts';
import { examine } from './examine.ts';
import { IndexedRecordStore } from './record-store.ts';
import { QdrantVectorStore } from './vector-store.ts';
import { type WordOptions, WordPlan } from './word-plan.ts';
import { WordSearch } from './word-search.ts';

export interface QdrantOptions extends QdrantAddress, Partial<CollectionOptions>, WordOptions {}

interface Parts {
  readonly client: QdrantClient;
  readonly collections: Collections;
  readonly carrier: Carrier;
  readonly plan: WordPlan;
  readonly feed: NonNullable<Storage['feed']>;
}

function open(main: Storage, { prefix = DEFAULT_PREFIX, replicas = 1, ...options }: QdrantOptions): Parts {
  const { feed } = main;
  if (feed === undefined) {
    throw new KeepsakeError('UNSUPPORTED', 'This storage cannot have an index outside of it.', {
      hint: 'Use "sqlite" or "postgres" as the engine of the workspace.',
    });
  }
  const client = new QdrantClient(options);
  const collections = new Collections(client, { prefix, replicas });
  const plan = new WordPlan(feed.words, options);
  return { client, collections, feed, plan, carrier: new Carrier(feed, collections, plan) };
}

/** The same storage, searched through Qdrant. Does not wait for the server: without it, the main storage searches. */
export function withQdrant(main: Storage, options: QdrantOptions): Storage {
  const { client, collections, feed, plan, carrier } = open(main, options);
  carrier.start();
  const vectors = new QdrantVectorStore({ vectors: main.records.vectors, feed, collections, carrier });
  const words = plan.feed && new WordSearch({ feed: plan.feed, collections, carrier });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await carrier.close(() => client.close());
    client.close();
    await main.close();
  };
  return {
    ...main,
    records: new IndexedRecordStore(main.records, {
      vectors,
      findText: async (query) => (plan.isUsed ? words?.search(query) : undefined),
      nudge: () => carrier.nudge(),
    }),
    indexStatus: async () => {
      const { isUp, problem = carrier.problem } = client.health;
      const status = { name: `Qdrant at ${client.place}`, isUp, backlog: await feed.backlog() };
      return problem === undefined ? status : { ...status, problem };
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** `main` stays open. */
export async function examineQdrant(
  main: Storage,
  { fix, ...options }: QdrantOptions & { readonly fix: boolean },
): Promise<readonly Finding[]> {
  const { client, collections, feed, carrier } = open(main, options);
  try {
    const position = (await feed.position(0)) ?? (fix ? await feed.attach() : undefined);
    return await examine({ client, collections, feed, identity: position?.identity, carrier }, { fix });
  } finally {
    client.close();
  }
}
