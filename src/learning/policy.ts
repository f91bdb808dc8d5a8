/** Options and result of a review. */
import type { ErrorCode } from '../kernel/errors.ts';
import type { ReviewStatus } from '../kernel/events.ts';
import type { Usage } from '../ports/language-model.ts';
import type { OperationKind } from './proposal.ts';

export interface LearningPolicy {
  /** Proposals that the model is less sure of than this are not stored. */
  readonly confidenceThreshold: number;
  /** Sessions with fewer messages of user and agent are not reviewed. */
  readonly minMessagesToExtract: number;
  /** Everything happens but the writing. */
  readonly dryRun: boolean;
  /** Whether the summary of the session is stored too. */
  readonly storeSummary: boolean;
  /** Milliseconds that the model has for its answer. */
  readonly timeLimit: number;
}

export const DEFAULT_LEARNING: LearningPolicy = {
  confidenceThreshold: 0.6,
  minMessagesToExtract: 4,
  dryRun: false,
  storeSummary: true,
  timeLimit: 60_000,
};

export type Outcome =
  | 'added'
  | 'updated'
  | 'superseded'
  | 'deleted'
  /** The user said again what a memory says; it counts for more now. */
  | 'confirmed'
  /** A memory says it already; nothing to write. */
  | 'known'
  | 'rejected';

export interface OperationReport {
  readonly op: OperationKind | 'unknown';
  /** The memory that was written or meant; null when there is none. */
  readonly id: string | null;
  readonly outcome: Outcome;
  /** Why it was rejected. */
  readonly reason?: string;
  readonly confidence: number | null;
  readonly category: string | null;
  readonly content: string | null;
}

export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface LearnReport {
  /** `failed`: the model could not be asked, or its answer was not a review; `problem` says why. */
  readonly status: ReviewStatus;
  /** Why the session was not reviewed at all. */
  readonly skipped?: 'too few messages' | 'already learned';
  readonly dryRun: boolean;
  /** Every operation that could be read from the answer, filtered ones included. */
  readonly proposed: number;
  /** How many were written. */
  readonly applied: number;
  readonly operations: readonly OperationReport[];
  readonly rejected: readonly OperationReport[];
  readonly summaryId: string | null;
  /** The answer broke off; what was whole was used. */
  readonly isTruncated: boolean;
  readonly usage?: Usage;
  /** Why it could not be finished. Nothing is lost: the same review can be run again. */
  readonly problem?: Problem;
}

export function wrote({ outcome }: OperationReport): boolean {
  return outcome !== 'known' && outcome !== 'rejected';
}
