/** Learns from a session without a language model: explicit requests are stored, other findings are proposals. */
import { resolveAgentConfig } from '../config/index.ts';
import { type Caller, speakerOf } from '../kernel/caller.ts';
import { Applier } from './applying.ts';
import { Speakers } from './origin.ts';
import { plainStatements } from './plain-rules.ts';
import { DEFAULT_LEARNING, type OperationReport } from './policy.ts';
import { type LearnParts, type SpokenSession, toChat } from './session-learn.ts';
import { readSession } from './transcript.ts';

/** A category of its own, so that it never stands among instructions and preferences. */
export const PROPOSAL = 'proposal';
const CONFIDENCE = { request: 0.95, proposal: 0.4 } as const;

/** Doing it twice for one session stores nothing twice. */
export async function plainLearn(
  { config, records, clock, guard }: LearnParts,
  { session, messages }: SpokenSession,
  caller: Caller,
): Promise<readonly OperationReport[]> {
  const { memory } = resolveAgentConfig(config, speakerOf(caller));
  if (memory.readOnly) return [];
  const { said, system } = readSession(messages.map(toChat));
  const typed = said.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);
  const applier = new Applier({
    ...{ records, guard, session, system, now: clock.now() },
    caller: { ...caller, via: 'extractor', session },
    // The rules decide, not a confidence that a model gives.
    policy: { ...DEFAULT_LEARNING, confidenceThreshold: 0, dryRun: memory.dryRun },
    shown: new Map(),
    speakers: new Speakers(said),
    metadata: { session, review: 'rules' },
  });
  const reports: OperationReport[] = [];
  for (const { content, kind } of plainStatements(typed)) {
    const category = kind === 'request' ? 'fact' : PROPOSAL;
    const operation = { op: 'add', id: null, content, category, confidence: CONFIDENCE[kind] } as const;
    reports.push(await applier.apply({ ...operation, from: 'user' }));
  }
  return reports;
}
