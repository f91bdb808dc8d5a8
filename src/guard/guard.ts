/** The guard: combines patterns, hidden text, secrets and origin into a decision. */
import { atOnce, type Steps, stepByStep } from '../kernel/in-steps.ts';
import type { Origin } from '../kernel/record.ts';
import type { Guard, GuardSubject, Verdict } from '../ports/guard.ts';
import { judge, judging } from './judge.ts';
import { mapTexts, textsIn } from './metadata.ts';
import { neutraliseMentions } from './neutralise.ts';
import { judgeProvenance, THRESHOLDS } from './provenance.ts';
import { type Finding, forgesOwnFormat } from './scan.ts';
import { findSecrets, redactSecrets } from './secrets.ts';

export interface GuardOptions {
  /** What happens to keys, tokens and passwords. */
  readonly secrets: 'redact' | 'block' | 'allow';
}

export interface Examination {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  /** Sum of the weights of all findings; refused from the threshold of its origin on. */
  readonly score: number;
  readonly threshold: number;
  readonly findings: readonly Finding[];
  /** Kinds of secrets in it. */
  readonly secrets: readonly string[];
}

/** A label without spaces says nothing. */
const PLAIN_LABEL = /^[\p{L}\p{N}_.:/@#-]{1,32}$/u;

export function createGuard({ secrets }: GuardOptions): Guard {
  return {
    inspect: (subject) => atOnce(inspecting(subject, secrets)),
    inspectInTurns: (subject) => stepByStep(inspecting(subject, secrets)),
  };
}

/** Lets everything through. */
export const noGuard: Guard = { inspect: () => ({ allowed: true, reasons: [] }) };

/** All that the guard sees in a text, for a person who wants to know why. */
export function examine(text: string, origin: Origin): Examination {
  const { score, findings, isRefused } = judge(text, origin);
  return {
    allowed: !isRefused,
    reasons: unique(findings.map(({ reason }) => reason)),
    score,
    threshold: THRESHOLDS[origin],
    findings,
    secrets: unique(findSecrets(text).map(({ name }) => name)),
  };
}

function* inspecting(subject: GuardSubject, secrets: GuardOptions['secrets']): Steps<Verdict> {
  const { category, tags, origin, metadata = {} } = subject;
  const reasons: string[] = judgeProvenance(subject);
  // A person may speak of our markers, and of those of chat templates: what is kept means nothing to a model.
  const content = origin === 'user' ? neutraliseMentions(subject.content) : subject.content;
  const labels = [category, ...tags, ...textsIn(metadata)].filter((label) => !PLAIN_LABEL.test(label));
  for (const text of labels.length === 0 ? [content] : [content, labels.join('\n')]) {
    if (subject.ownDocument === true) {
      if (forgesOwnFormat(text)) reasons.push('role-marker');
      continue;
    }
    const { isRefused, findings } = yield* judging(text, origin);
    if (isRefused) reasons.push(...findings.map(({ reason }) => reason));
  }
  const found =
    secrets === 'allow' ? [] : [content, category, ...tags, ...textsIn(metadata)].flatMap(findSecrets);
  yield content.length;
  // A category cannot be half taken out: it is a name.
  if (found.length > 0 && (secrets === 'block' || findSecrets(category).length > 0)) {
    reasons.push(...found.map(({ name }) => `secret:${name}`));
  }
  const verdict = { allowed: reasons.length === 0, reasons: unique(reasons) };
  if (found.length === 0 && content === subject.content) return verdict;
  const clean = (text: string): string => (secrets === 'allow' ? text : redactSecrets(text));
  return {
    ...verdict,
    instead: { content: clean(content), tags: tags.map(clean), metadata: mapTexts(metadata, clean) },
  };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
