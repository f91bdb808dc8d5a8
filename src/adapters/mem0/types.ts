/** Types of the options and results of mem0's `Memory` class. */

export interface Message {
  readonly role: string;
  readonly content: string | object;
}

export interface Entity {
  readonly userId?: string;
  readonly agentId?: string;
  readonly runId?: string;
}

/** `user_id`, `agent_id` and `run_id` say whose memories; every other key is compared with the metadata. */
export interface SearchFilters {
  readonly user_id?: string;
  readonly agent_id?: string;
  readonly run_id?: string;
  readonly [key: string]: unknown;
}

export interface AddMemoryOptions extends Entity {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly filters?: SearchFilters;
  /** False: assistant messages are stored too. Default: what the user said. */
  readonly infer?: boolean;
  readonly expirationDate?: string | null;
}

export interface GetAllMemoryOptions extends Entity {
  readonly topK?: number;
  readonly limit?: number;
  readonly filters?: SearchFilters;
  readonly showExpired?: boolean;
}

export interface SearchMemoryOptions extends GetAllMemoryOptions {
  readonly threshold?: number;
}

export interface UpdateMemoryOptions {
  readonly text?: string;
  readonly data?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly expirationDate?: string | null;
}

export interface MemoryItem {
  readonly id: string;
  readonly memory: string;
  readonly hash: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly score?: number;
  readonly metadata: Record<string, unknown>;
  readonly userId?: string;
  readonly agentId?: string;
  readonly runId?: string;
}

export interface SearchResult {
  readonly results: MemoryItem[];
}

export interface HistoryEntry {
  readonly id: string;
  readonly memoryId: string;
  readonly previousValue: string | null;
  readonly newValue: string | null;
  readonly action: 'ADD' | 'UPDATE' | 'DELETE';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isDeleted: number;
}
