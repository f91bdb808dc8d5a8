/** Port: checks a text before it is stored. */
import type { JsonObject } from '../kernel/json.ts';
import type { Origin, Source } from '../kernel/record.ts';
import type { Scope } from '../kernel/scope.ts';

export interface GuardSubject {
  readonly content: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly metadata?: JsonObject;
  readonly origin: Origin;
  readonly scope?: Scope;
  readonly source?: Source;
  /** Whether the write pins it. */
  readonly pinned?: boolean;
  /** Cut from a file that a person added from a folder of his own; it is content to read, never an order. */
  readonly ownDocument?: true;
  /** Category and scope were accepted before and stay as they are. */
  readonly settled?: boolean;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Short names of what was found, e.g. `override-phrase`. */
  readonly reasons: readonly string[];
  /** What is kept instead: the same without secrets, and with markers that mean nothing to a model any more. */
  readonly instead?: {
    readonly content: string;
    readonly tags: readonly string[];
    readonly metadata?: JsonObject;
  };
}

export interface Guard {
  inspect(subject: GuardSubject): Verdict;
  /** The same verdict; a text of megabytes lets other work of the thread have its turn. */
  inspectInTurns?(subject: GuardSubject): Promise<Verdict>;
}
