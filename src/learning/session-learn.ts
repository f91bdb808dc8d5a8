/** Learns from a session that another program ran, when a language model is configured to read it. */
import { createHash } from 'node:crypto';
import { type Config, type Environment, openModels, resolveAgentConfig } from '../config/index.ts';
import { type Caller, speakerOf } from '../kernel/caller.ts';
import { DAY } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { KeepsakeError } from '../kernel/errors.ts';
import type { EventDraft } from '../kernel/events.ts';
import type { LeaseRunner } from '../leases/index.ts';
import type { ChatMessage, LanguageModel } from '../ports/language-model.ts';
import type { LearnReport } from './policy.ts';
import { type ReviewServices, reviewSession } from './review-session.ts';

export interface LearnParts extends ReviewServices {
  readonly config: Config;
  readonly env: Environment;
  readonly leaseRunner: LeaseRunner;
}

export interface SpokenMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export interface SpokenSession {
  readonly session: string;
  readonly messages: readonly SpokenMessage[];
}

export function toChat({ role, text }: SpokenMessage, index: number): ChatMessage {
  if (role !== 'tool') return { role, content: text };
  return {
    role,
    content: [{ type: 'toolResult', id: `result-${index}`, name: 'tool', result: text }],
  };
}

/** The same messages of a session are reviewed once within this time, however often and by whomever it is asked for. */
const REVIEWED_FOR = DAY;

/**
 * Undefined when nothing is to be learned here: no model, memory that may not be written, or a review that was made.
 * @param otherwise the model to ask where none is configured
 */
export async function sessionLearn(
  parts: LearnParts,
  { session, messages }: SpokenSession,
  caller: Caller,
  otherwise: () => Promise<LanguageModel | undefined> = async () => undefined,
): Promise<LearnReport | undefined> {
  const { clock, leaseRunner, config, env } = parts;
  const { memory, models: own } = resolveAgentConfig(config, speakerOf(caller));
  if (memory.readOnly) return undefined;
  const models = await openModels({ main: own.main, light: own.light, models: config.models, env });
  const model = models === undefined ? await otherwise() : models.light;
  if (model === undefined) return undefined;
  const review = () =>
    reviewSession(parts, {
      session,
      caller,
      memory,
      messages: messages.map(toChat),
      model,
    });
  // Hooks may ask for the same twice, also at the same moment.
  const said = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
  return leaseRunner.wait(`learning:${speakerOf(caller)}:${session}`, async (turn) => {
    if (turn.note === said) return undefined;
    const report = await review();
    if (report.status !== 'failed') await turn.write(said, clock.now() + REVIEWED_FOR);
    return report;
  });
}

/** Tells of a review that could not even begin, for the inspector and whoever watches; without words of the session. */
export async function noteFailedReview(
  { storage, hub, clock }: Pick<LearnParts, 'storage' | 'hub' | 'clock'>,
  { code, message }: KeepsakeError,
  { viewer, session }: Caller,
): Promise<void> {
  const event: EventDraft = {
    ...{ type: 'memory.extracted', at: clock.now(), via: 'extractor', status: 'failed' },
    ...{ reason: `${code}: ${message}`, opsProposed: 0, opsApplied: 0, dryRun: false, ops: [] },
    ...defined({ agent: viewer.agent, session }),
  };
  hub.publish(await storage.events.append([event]));
}
