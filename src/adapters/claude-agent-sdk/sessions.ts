/** A session store of the Claude Agent SDK on Keepsake: transcripts word for word, each entry once. */
import type { JsonValue } from '../../kernel/json.ts';
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { TroubleOptions, WhichStore, WhoseMemory } from '../common/options.ts';
import { allItems } from '../common/pages.ts';
import { Trouble } from '../common/trouble.ts';

export interface SessionKey {
  readonly projectKey: string;
  readonly sessionId: string;
  /** Without it: the main transcript. */
  readonly subpath?: string;
}

export interface SessionEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
}

/** The `SessionStore` of the SDK, as far as Keepsake implements it. */
export interface KeepsakeSessionStore {
  append(key: SessionKey, entries: SessionEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionEntry[] | null>;
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  delete(key: SessionKey): Promise<void>;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

const ROOT = 'claude-agent-sdk';
const MOST = 1_000;

const sessionPlace = ({ projectKey, sessionId }: Omit<SessionKey, 'subpath'>): string[] => [
  ...[ROOT, 'sessions', projectKey, sessionId],
];
const place = ({ subpath, ...key }: SessionKey): string[] => [
  ...sessionPlace(key),
  ...(subpath === undefined ? ['main'] : ['sub', subpath]),
];

export interface KeepsakeSessionsOptions
  extends Omit<WhoseMemory, 'thread'>,
    WhichStore,
    Omit<TroubleOptions, 'timeoutMs'> {
  /** How long the SDK waits for an append, in milliseconds, before the session continues; it is stored later. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * For `query({ prompt, options: { sessionStore: keepsakeSessions({ user }) } })`. Entries that memory refuses are kept and stored
 * later, where the SDK would drop them. What is read must be complete, so that reading fails when memory does.
 */
export function keepsakeSessions(options: KeepsakeSessionsOptions = {}): KeepsakeSessionStore {
  checkOptions('keepsakeSessions', options, { ...OWNER_OPTIONS, ...TROUBLE_OPTIONS });
  const { items } = memoryOf(options);
  const trouble = new Trouble('keepsake/claude-agent-sdk', options);
  const indexOf = (projectKey: string): string[] => [ROOT, 'projects', projectKey];
  return {
    append: async (key, entries) => {
      const namespace = place(key);
      const puts = entries.map((entry) => ({
        ...({ op: 'put', namespace, keep: true } as const),
        // Entries without an id, such as titles, are appended each time.
        ...{ key: entry.uuid ?? `new ${crypto.randomUUID()}`, value: entry as unknown as JsonValue },
      }));
      const index = {
        op: 'put',
        namespace: indexOf(key.projectKey),
        key: key.sessionId,
        value: true,
      } as const;
      await trouble.write(() => items.write([index, ...puts]));
    },

    load: async (key) => {
      await trouble.settled();
      const entries = await allItems(items, place(key));
      return entries.length === 0 ? null : entries.map(({ value }) => value as unknown as SessionEntry);
    },

    listSessions: async (projectKey) =>
      (await allItems(items, indexOf(projectKey))).map(({ key, updatedAt }) => ({
        ...{ sessionId: key, mtime: updatedAt },
      })),

    delete: async (key) => {
      await trouble.settled();
      const { subpath, projectKey, sessionId } = key;
      const namespace = subpath === undefined ? sessionPlace(key) : place(key);
      const index = { op: 'remove', namespace: indexOf(projectKey), key: sessionId } as const;
      await items.write([{ op: 'clear', namespace }, ...(subpath === undefined ? [index] : [])]);
    },

    listSubkeys: async (key) => {
      const prefix = [...sessionPlace(key), 'sub'];
      const found: string[] = [];
      for (;;) {
        const page = await items.namespaces({ prefix, limit: MOST, offset: found.length });
        found.push(...page.map((namespace) => namespace[prefix.length]!));
        if (page.length < MOST) return found;
      }
    },
  };
}
