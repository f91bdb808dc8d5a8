/** Reviews a session with the settings of its agent and the services of its workspace. */
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventDraft, EventHub } from '../kernel/events.ts';
import type { Guard } from '../ports/guard.ts';
import type { ChatMessage, LanguageModel } from '../ports/language-model.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecordService } from '../records/index.ts';
import { learn } from './learn.ts';
import type { LearningPolicy, LearnReport } from './policy.ts';

export interface ReviewServices {
  readonly records: RecordService;
  readonly clock: Clock;
  readonly storage: Pick<Storage, 'events'>;
  readonly hub: EventHub;
  readonly guard: Guard;
}

export interface SessionToReview {
  readonly session: string;
  readonly messages: readonly ChatMessage[];
  readonly model: LanguageModel;
  readonly memory: Pick<LearningPolicy, 'confidenceThreshold' | 'minMessagesToExtract' | 'dryRun'>;
  /** When an imported conversation took place. It stays readable itself, so no summary of it is stored. */
  readonly importedFrom?: number;
  readonly signal?: AbortSignal | undefined;
  readonly caller: Caller;
  readonly isAutomatic?: boolean;
}

/** Never throws; `status` of the report says what became of it. */
export function reviewSession(
  { records, clock, storage, hub, guard }: ReviewServices,
  { memory, ...session }: SessionToReview,
): Promise<LearnReport> {
  const { confidenceThreshold, minMessagesToExtract, dryRun } = memory;
  return learn({
    ...session,
    policy: {
      ...{ confidenceThreshold, minMessagesToExtract, dryRun },
      storeSummary: session.importedFrom === undefined,
    },
    ...{ records, clock, guard },
    emit: async (event: EventDraft) => hub.publish(await storage.events.append([event])),
  });
}
