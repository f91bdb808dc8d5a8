/** The options that every adapter takes: which memory it works on, for whom, and what happens when memory fails. */
import type { Client } from '../../client/index.ts';

export interface WhoseMemory {
  /** The agent whose memory it is. Default: "assistant". */
  readonly agent?: string | undefined;
  /** The person whom the agent serves: any string of 1 to 256 characters. Default: nobody in particular. */
  readonly user?: string | undefined;
  /** The conversation: any string of 1 to 256 characters. Default: the one conversation of this agent and user. */
  readonly thread?: string | undefined;
}

export interface WhichStore {
  /** A client of yours. Default: one on `workspace` or `url`, shared by all adapters of this process. */
  readonly client?: Client | undefined;
  /** Folder of the workspace. Default: as for createClient(). */
  readonly workspace?: string | undefined;
  /** Address of a Keepsake server, in place of a workspace in this process. */
  readonly url?: string | undefined;
  /** The key that the server knows the caller by. */
  readonly apiKey?: string | undefined;
}

export interface TroubleOptions {
  /** True: when memory fails, so does your call. Default: false, your call continues without memory. */
  readonly strict?: boolean | undefined;
  /** How long memory may take to read or to write, in milliseconds, before your call continues. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
  /** Called once when memory begins to fail, and again after it has worked in between. Default: a process warning. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

export interface AdapterOptions extends WhoseMemory, WhichStore, TroubleOptions {}
