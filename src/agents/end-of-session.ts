/** Stores the result of a session when it ends: the outcome of its task, and learned facts. */
import type { ConversationMessage } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LearnReport, rememberTask, reviewSession } from '../learning/index.ts';
import type { Models } from '../ports/model-meter.ts';
import { toChatMessage } from './chat-messages.ts';
import type { MemoryPolicy, RunServices } from './run-services.ts';

export type Outcome = 'completed' | 'failed' | 'aborted';

/** What a session was asked last, and what came of it. */
export interface SessionTask {
  readonly prompt: string;
  readonly answer?: string;
  readonly error?: string;
}

export interface EndOfSession {
  readonly services: Pick<RunServices, 'records' | 'clock' | 'storage' | 'hub' | 'guard'>;
  readonly models: Models;
  readonly memory: MemoryPolicy;
  /** Undefined in a raw session, which nobody learns from. */
  readonly caller: Caller | undefined;
  readonly session: string;
  /** Whom the model speaks as. */
  readonly speaker: string;
  /** What the agent is told in every session, by its prompt, its rules and SOUL.md: known already, and not learned. */
  readonly told: readonly string[];
  /** What was said in this session, and not in those before. */
  readonly said: readonly ConversationMessage[];
  readonly outcome: Outcome;
  /** Of a run; a chat has prompts, but no task. */
  readonly task: SessionTask | undefined;
  readonly isAutomatic: boolean;
}

/** Never throws: the user has the answer already. Undefined where there was nothing to learn from. */
export async function endOfSession(end: EndOfSession): Promise<LearnReport | undefined> {
  const { services, models, memory, caller, session, outcome, task, isAutomatic } = end;
  if (!memory.enabled || memory.readOnly || caller === undefined || outcome === 'aborted') return undefined;
  const { records, clock } = services;
  if (task !== undefined && !memory.dryRun) {
    await rememberTask({
      task: task.prompt,
      outcome,
      output: task.answer,
      error: task.error,
      isAutomatic,
      session,
      records,
      caller,
      clock,
    });
  }
  if (outcome !== 'completed') return undefined;
  return reviewSession(services, {
    ...{ session, caller, memory, isAutomatic },
    model: models.light,
    messages: [
      ...end.told.map((content) => ({ role: 'system' as const, content })),
      ...end.said.map((message) => toChatMessage(message, end.speaker)),
    ],
  });
}
