/** Limits what an origin may write: only a person may store instructions or share with everyone. */
import type { Origin } from '../kernel/record.ts';
import { DOCUMENT_SOURCES, foldCategory, isStranger } from '../kernel/trust.ts';
import type { GuardSubject } from '../ports/guard.ts';

/** A text is refused from this score on. What a person says is doubted least, what a stranger wrote most. */
export const THRESHOLDS: Readonly<Record<Origin, number>> = {
  user: 1,
  agent: 0.8,
  import: 0.6,
  tool: 0.58,
  web: 0.56,
};

export type ProvenanceReason = 'untrusted-instruction' | 'untrusted-scope' | 'untrusted-pin';

export function judgeProvenance({
  origin,
  category,
  scope,
  source,
  settled,
  pinned,
}: GuardSubject): ProvenanceReason[] {
  // What is pinned is part of every prompt, as an instruction is.
  const pins: ProvenanceReason[] = pinned === true && isStranger(origin) ? ['untrusted-pin'] : [];
  if (settled === true) return pins;
  const isInstruction = foldCategory(category) === 'instruction';
  const isShared = scope === 'swarm' && !DOCUMENT_SOURCES.includes(source ?? '');
  if (isStranger(origin)) {
    return [
      ...pins,
      ...(isInstruction ? (['untrusted-instruction'] as const) : []),
      ...(isShared ? (['untrusted-scope'] as const) : []),
    ];
  }
  // An agent may note an instruction for itself; for all others it takes a person.
  return origin === 'agent' && isInstruction && isShared ? ['untrusted-instruction'] : [];
}
