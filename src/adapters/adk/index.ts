/** Keepsake for Google's Agent Development Kit: `new Runner({ agent, appName, sessionService, memoryService: keepsakeMemoryService() })`. */
import { checkOptions, STORE_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { clientOf, memoryOf } from '../common/memory-of.ts';
import type { TroubleOptions, WhichStore } from '../common/options.ts';
import { Trouble } from '../common/trouble.ts';

export interface KeepsakeMemoryServiceOptions extends WhichStore, TroubleOptions {
  /** The agent whose memory it is. Default: the name of the app. */
  readonly agent?: string | undefined;
}

interface Content {
  role?: string;
  parts?: { text?: string }[];
}

interface AdkEvent {
  readonly id?: string;
  readonly author?: string;
  readonly timestamp?: number;
  readonly content?: Content;
}

interface AdkSession {
  readonly id: string;
  readonly appName: string;
  readonly userId: string;
  readonly events: readonly AdkEvent[];
}

interface AdkMemory {
  content: { role: string; parts: { text: string }[] };
  author: string;
  timestamp: string;
}

/** The `BaseMemoryService` of ADK. */
export interface KeepsakeMemoryService {
  addSessionToMemory(session: AdkSession): Promise<void>;
  searchMemory(request: {
    appName: string;
    userId: string;
    query: string;
  }): Promise<{ memories: AdkMemory[] }>;
}

type NewMemory = Extract<Parameters<ReturnType<typeof memoryOf>['memory']['add']>[0], object>;

const MOST_FOUND = 10;

export function keepsakeMemoryService(options: KeepsakeMemoryServiceOptions = {}): KeepsakeMemoryService {
  checkOptions('keepsakeMemoryService', options, { ...STORE_OPTIONS, ...TROUBLE_OPTIONS, agent: true });
  const { agent } = options;
  const client = clientOf(options);
  const trouble = new Trouble('keepsake/adk', options);
  const memoryFor = (appName: string, user: string) =>
    memoryOf({ client, agent: agent ?? appName, user }).memory;
  return {
    addSessionToMemory: async ({ id, appName, userId, events }) => {
      for (const [i, event] of events.entries()) {
        const content = (event.content?.parts ?? [])
          .flatMap(({ text }) => text ?? [])
          .join('\n')
          .trim();
        if (content === '') continue;
        const author = event.author ?? 'user';
        const memory: NewMemory = {
          ...{ content, source: 'session_summary', category: 'conversation', metadata: { author } },
          // What is said in a session is kept until it is forgotten.
          ...{ expiresAt: null, thread: id, origin: author === 'user' ? 'user' : 'agent' },
          // A session is often added again after every turn.
          idempotencyKey: `adk ${id} ${event.id ?? i}`,
          ...(event.timestamp === undefined ? {} : { validFrom: Math.floor(event.timestamp) }),
        };
        await trouble.write(() => memoryFor(appName, userId).add(memory));
      }
    },
    searchMemory: async ({ appName, userId, query }) => {
      const hits = await trouble.read(() => memoryFor(appName, userId).search(query, { limit: MOST_FOUND }));
      const memories = (hits ?? []).map(({ content, metadata, validFrom, createdAt }) => {
        const author = typeof metadata.author === 'string' ? metadata.author : 'user';
        const role = author === 'user' ? 'user' : 'model';
        const timestamp = new Date(validFrom ?? createdAt).toISOString();
        return { content: { role, parts: [{ text: content }] }, author, timestamp };
      });
      return { memories };
    },
  };
}
