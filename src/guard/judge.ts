/** What a scan means for a text of a certain origin. */
import type { Origin } from '../kernel/record.ts';
import { THRESHOLDS } from './provenance.ts';
import { type Scan, scan } from './scan.ts';

/** Sums of tenths are not exact. */
const TOLERANCE = 1e-6;

export interface Judgement extends Scan {
  readonly isRefused: boolean;
}

export function judge(text: string, origin: Origin): Judgement {
  const counted = held(scan(text), origin);
  return { ...counted, isRefused: counted.score >= THRESHOLDS[origin] - TOLERANCE };
}

/** A person may give orders, so that a text reads like one is not held against him. */
function held({ score, findings }: Scan, origin: Origin): Scan {
  const order = origin === 'user' ? findings.find(({ reason }) => reason === 'order') : undefined;
  if (order === undefined) return { score, findings };
  const others = findings.filter((finding) => finding !== order);
  return { score: Math.round((score - order.weight) * 100) / 100, findings: others };
}
