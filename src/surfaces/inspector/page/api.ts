/**
 * The routes of the server that the page calls: what each takes and what it returns. Types only. What the server declares in `kernel` and
 * `ports` is imported from there; the rest is declared here as far as the page reads it, and `test/surfaces/http/inspector-api.test.ts`
 * compares it with the server's own types.
 */
import type { KeepsakeEvent } from '../../../kernel/events.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { MemoryRecord, RecordState, RecordVersion } from '../../../kernel/record.ts';
import type { BusMessage } from '../../../ports/message-bus.ts';
import type { QuarantineEntry } from '../../../ports/quarantine-store.ts';
import type { AgentSummary, Erasure } from '../../../ports/record-store.ts';
import type { RunRecord } from '../../../ports/run-store.ts';
import type { StateChange } from '../../../ports/state-store.ts';
import type { ById, RoutesOfAdmins } from './api-of-admins.ts';

export type { ApiKey, CreatedKey, ErasedLayers, EraseReceipt, Identity, NewKey } from './api-of-admins.ts';
export type {
  AgentSummary,
  JsonValue,
  KeepsakeEvent,
  QuarantineEntry,
  RecordVersion,
  RunRecord,
  StateChange,
};

export type Memory = MemoryRecord;

/** The numbers that decided the rank of a search result. */
export interface Factors {
  readonly relevance: number;
  readonly coverage: number;
  readonly similarity: number | null;
  readonly semantic: number;
  readonly context: number;
  readonly recencyDecay: number;
  readonly accessBoost: number;
  /** Receipts of older versions have none. */
  readonly orderBoost?: number;
  readonly authorBoost?: number;
  readonly openingBoost?: number;
  readonly speechBoost?: number;
  readonly tokenBoost?: number;
  readonly earlierDecay?: number;
}

export interface Hit extends Memory {
  readonly score: number;
  readonly factors: Factors;
  readonly explain: string;
}

export type ChangedMemory = Memory & { readonly outcome: 'updated' | 'unchanged' };

export interface AddedMemory extends Memory {
  readonly outcome: string;
}

export interface MemoryChange {
  readonly content?: string | undefined;
  readonly category?: string | undefined;
  readonly tags?: string[] | undefined;
  readonly pinned?: boolean | undefined;
  readonly expiresAt?: number | undefined;
}

export interface MemoryFilter {
  readonly agent: string;
  readonly user: string;
  readonly category: string;
  readonly source: string;
}

export type StateFilter = RecordState | 'any';

export interface DayStats {
  readonly day: string;
  readonly added: number;
  readonly live: number;
  readonly recalls: number;
  readonly hits: number;
  readonly prompts: number;
  readonly tokens: number;
  readonly memoryTokens: number;
  readonly blocked: number;
}

type Counts = Readonly<Record<string, number>>;

export interface MemoryStats {
  readonly days: readonly DayStats[];
  readonly states: Readonly<Record<RecordState, number>>;
  readonly pinned: number;
  readonly agents: Counts;
  readonly sources: Counts;
  readonly categories: Counts;
}

export interface ConversationSummary {
  readonly agent: string;
  readonly user: string | null;
  readonly thread: string | null;
  readonly messages: number;
  readonly lastAt: number;
  readonly compactedUpTo: number;
  readonly history: number;
  readonly persistent: boolean;
  readonly archivedAt: number | null;
}

export interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: JsonValue;
  readonly at: number;
  /** Messages of a swarm have none. */
  readonly metadata?: JsonObject;
  readonly seq?: number;
}

export interface ArchiveSummary {
  readonly name: string;
  readonly messages: number;
  readonly characters: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

export interface SectionSummary {
  readonly name: string;
  readonly lines: number;
}

export interface SectionText {
  readonly section: string;
  readonly content: string;
  readonly lines: number;
  readonly hash: string;
}

/** What a prompt contained, and why; the event `session.receipt` carries it. */
export interface Receipt {
  readonly model: string | null;
  readonly slots: readonly {
    readonly slot: string;
    readonly characters: number;
    readonly tokens: number;
    readonly budget: number | null;
    readonly entries: number;
  }[];
  readonly memories: readonly {
    readonly id: string;
    readonly slot: string;
    readonly kind: string;
    readonly category: string;
    readonly characters: number;
    readonly score: number | null;
    readonly factors: Factors | null;
    readonly explain: string;
  }[];
  readonly documents: readonly string[];
  readonly dropped: readonly {
    readonly id: string | null;
    readonly slot: string;
    readonly reason: string;
    readonly characters: number;
    readonly relevance: number | null;
  }[];
  readonly total: { readonly messages: number; readonly characters: number; readonly tokens: number };
}

export type Outcome = 'completed' | 'failed' | 'aborted';

export interface SessionSummary {
  readonly session: string;
  readonly agent: string | null;
  readonly user: string | null;
  readonly firstPrompt: string | null;
  readonly lastAt: number;
  readonly firstSeq: number;
  readonly prompts: number;
  readonly tokens: number;
  readonly cost: number | null;
  readonly outcome: Outcome | null;
}

/** One call of the model; `texts` by id of the memory, as they were then. */
export interface ModelCall {
  readonly seq: number;
  readonly loop: number;
  readonly at: number;
  readonly receipt: Receipt;
  readonly texts: Readonly<Record<string, string>>;
}

export interface PromptStory {
  readonly calls: readonly ModelCall[];
  readonly messages: readonly Message[];
  readonly outcome: Outcome | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
}

interface BySection {
  readonly params: { readonly section: string };
}

export interface Routes extends RoutesOfAdmins {
  'GET /v1/agents': { answer: readonly AgentSummary[] };

  'GET /v1/memory': {
    query: MemoryFilter & { state: StateFilter; limit: number; after?: string | undefined };
    answer: readonly Memory[];
  };
  'GET /v1/memory/search': {
    query: MemoryFilter & { q: string; limit: number; all: string };
    answer: readonly Hit[];
  };
  'POST /v1/memory/add': {
    body: { content: string; category: string; tags: string[]; scope: string };
    answer: AddedMemory;
  };
  'POST /v1/memory/outline': {
    query: { agent?: string | undefined; user?: string | undefined };
    body: {
      every: number;
      category?: string | undefined;
      source?: string | undefined;
      state?: StateFilter | undefined;
    };
    answer: { readonly total: number; readonly anchors: readonly string[] };
  };
  'GET /v1/memory/:id': ById & { query: { peek: 'true' }; answer: Memory };
  'PATCH /v1/memory/:id': ById & { body: MemoryChange; answer: ChangedMemory };
  'DELETE /v1/memory/:id': ById & { answer: Pick<Erasure, 'characters' | 'versions'> };
  'GET /v1/memory/:id/history': ById & { answer: readonly RecordVersion[] };
  'POST /v1/memory/undo': {
    body: { id: string; ifVersion: number; version?: number | undefined };
    answer: ChangedMemory;
  };
  'POST /v1/memory/stats': { body: { days: number }; answer: MemoryStats };

  'POST /v1/session/list': {
    body: { limit: number; agent?: string | undefined; user?: string | undefined };
    answer: { readonly sessions: readonly SessionSummary[]; readonly more: boolean };
  };
  'POST /v1/session/get': {
    body: { session: string; after?: number | undefined };
    answer: Pick<SessionSummary, 'session' | 'agent' | 'user'> & { readonly prompts: readonly PromptStory[] };
  };

  'GET /v1/sections': { answer: readonly SectionSummary[] };
  'GET /v1/sections/:section': BySection & { answer: SectionText };
  'PUT /v1/sections/:section': BySection & {
    body: { content: string; ifHash?: string | undefined };
    answer: { readonly section: string; readonly outcome: 'created' | 'replaced' | 'unchanged' };
  };
  'DELETE /v1/sections/:section': BySection & { answer: Pick<SectionText, 'section'> };

  'POST /v1/log/list': { body: Record<never, never>; answer: readonly ConversationSummary[] };
  'POST /v1/log/get': {
    body: { limit: number; before?: string | undefined; after?: string | undefined };
    answer: readonly Message[];
  };
  'POST /v1/log/search': { body: { query: string; limit: number }; answer: readonly Message[] };

  'POST /v1/archive/list': { body: Record<never, never>; answer: readonly ArchiveSummary[] };
  'POST /v1/archive/get': { body: { name: string }; answer: { readonly text: string } };
  'POST /v1/archive/diff': { body: { from: string; to?: string | undefined }; answer: readonly string[] };
  'POST /v1/archive/restore': { body: { name: string }; answer: { readonly archive: string | null } };

  'POST /v1/swarm/list': { body: { limit: number }; answer: readonly RunRecord[] };
  'POST /v1/swarm/get': { body: { id: string }; answer: RunRecord };
  'POST /v1/swarm/cancel': { body: { id: string; reason: string }; answer: { readonly cancelled: boolean } };
  'POST /v1/swarm/messages': {
    body: { id: string; limit: number; after?: number | undefined };
    answer: readonly BusMessage[];
  };
  'POST /v1/state/get': {
    body: { id: string };
    answer: { readonly version: number; readonly updatedAt: number; readonly value?: JsonValue };
  };
  'POST /v1/state/changes': {
    body: { id: string; after: number; limit: number };
    answer: readonly StateChange[];
  };

  'POST /v1/guard/list': {
    body: { limit: number; state: 'waiting' | 'released' | 'any'; after?: string | undefined };
    answer: readonly QuarantineEntry[];
  };
  'POST /v1/guard/scan': {
    body: { text: string; origin: QuarantineEntry['origin'] };
    answer: {
      readonly matches: readonly { readonly reason: string; readonly start: number; readonly end: number }[];
    };
  };
  'POST /v1/guard/release': { body: { id: string }; answer: { readonly releasedAs: string } };
  'POST /v1/guard/remove': { body: { id: string }; answer: { readonly id: string } };

  /** A stream of server-sent events. */
  'GET /v1/events': { answer: never };
  'GET /v1/events/read': {
    query: { after: number; limit: number; types?: KeepsakeEvent['type'] | undefined };
    answer: readonly KeepsakeEvent[];
  };
}

export type Route = keyof Routes;
export type Answer<R extends Route> = Routes[R]['answer'];
export type Input<R extends Route> = Omit<Routes[R], 'answer'>;
