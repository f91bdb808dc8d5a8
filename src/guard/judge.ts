/** Decides about a text from its score and its origin. */
import { atOnce, type Steps } from '../kernel/in-steps.ts';
import type { Origin } from '../kernel/record.ts';
import { THRESHOLDS } from './provenance.ts';
import { type Scan, scanning, type Weigh } from './scan.ts';

/** Sums of tenths are not exact. */
const TOLERANCE = 1e-6;

export interface Judgement extends Scan {
  readonly isRefused: boolean;
}

/** A person may give orders, so that a text reads like one is not even looked at. */
const WEIGHS_NOTHING: Weigh = () => 0;

export function judge(text: string, origin: Origin): Judgement {
  return atOnce(judging(text, origin));
}

export function* judging(text: string, origin: Origin): Steps<Judgement> {
  const found = yield* scanning(text, origin === 'user' ? WEIGHS_NOTHING : undefined);
  return { ...found, isRefused: found.score >= THRESHOLDS[origin] - TOLERANCE };
}
