/** What is left of a session when it ends: what became of its task, and what it taught. */
import type { SessionTask, Transcript } from '../agents/index.ts';
import { toChatMessage } from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import type { ConversationMessage } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { EventDraft } from '../kernel/events.ts';
import { type LearnReport, learn, rememberTask } from '../learning/index.ts';
import type { Models } from '../ports/model-meter.ts';
import type { Engine } from './engine.ts';

export interface EndOfSession {
  readonly engine: Engine;
  readonly models: Models;
  readonly memory: Config['memory'];
  /** Undefined in a raw session, which nobody learns from. */
  readonly caller: Caller | undefined;
  readonly session: string;
  readonly speaker: Transcript['speaker'];
  /** What the agent is told in every session, by its prompt, its rules and SOUL.md: known already, and not learned. */
  readonly told: readonly string[];
  /** What was said in this session, and not in those before. */
  readonly said: readonly ConversationMessage[];
  readonly outcome: 'completed' | 'failed' | 'aborted';
  /** Of a run; a chat has prompts, but no task. */
  readonly task: SessionTask | undefined;
  readonly isAutomatic: boolean;
}

/** Never throws: the user has his answer already. Undefined where there was nothing to learn from. */
export async function endOfSession(end: EndOfSession): Promise<LearnReport | undefined> {
  const { engine, models, memory, caller, session, outcome, task, isAutomatic } = end;
  if (!memory.enabled || memory.readOnly || caller === undefined || outcome === 'aborted') return undefined;
  const { records, clock, storage, hub } = engine;
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
  return learn({
    session,
    model: models.light,
    policy: {
      confidenceThreshold: memory.confidenceThreshold,
      minMessagesToExtract: memory.minMessagesToExtract,
      dryRun: memory.dryRun,
    },
    records,
    caller,
    clock,
    guard: engine.guard,
    isAutomatic,
    emit: async (event: EventDraft) => hub.publish(await storage.events.append([event])),
    messages: [
      ...end.told.map((content) => ({ role: 'system' as const, content })),
      ...end.said.map((message) => toChatMessage(message, end.speaker)),
    ],
  });
}
