/** Calibrates the trained part of the guard without the data set that it then judges: by the harmless texts of all other sets. */

import { weighIntent } from '../../src/guard/intent/weigh.ts';
import { THRESHOLDS } from '../../src/guard/provenance.ts';
import { scan } from '../../src/guard/scan.ts';

export interface Sample {
  readonly text: string;
  readonly label: 'attack' | 'benign';
  readonly source: string;
}

/** Log-odds that weigh as much as the threshold of a page; the strictest comes first. */
const MIDDLES = Array.from({ length: 25 }, (_, i) => Math.round((0.1 + i / 10) * 10) / 10);
const MOST_ALARMS = 0.005;

/** Sets of one project are one: to see half of it is to have seen it. */
const projectOf = (source: string): string => source.split('_')[0]!;

const isRefused = (text: string, middle: number): boolean =>
  scan(text, (window) => weighIntent(window, undefined, middle)).score >= THRESHOLDS.web - 1e-6;

/** How many of the middles refuse a text: those from the strictest up to this one. */
function refusals(text: string): number {
  let [low, high] = [0, MIDDLES.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (isRefused(text, MIDDLES[half]!)) low = half + 1;
    else high = half;
  }
  return low;
}

/** Whether each text is refused from a page, with a calibration that saw no text of its project and no attack at all. */
export function refusedLeftOut(samples: readonly Sample[]): Map<Sample, boolean> {
  const counts = new Map(samples.map((sample) => [sample, refusals(sample.text)]));
  const harmless = samples.filter(({ label }) => label === 'benign');
  const chosen = new Map<string, number>();
  for (const project of new Set(samples.map(({ source }) => projectOf(source)))) {
    const others = harmless.filter(({ source }) => projectOf(source) !== project);
    const isQuiet = (middle: number): boolean =>
      others.filter((sample) => counts.get(sample)! > middle).length <= MOST_ALARMS * others.length;
    const middle = MIDDLES.findIndex((_, i) => isQuiet(i));
    chosen.set(project, middle === -1 ? MIDDLES.length : middle);
  }
  return new Map(
    samples.map((sample) => [sample, counts.get(sample)! > chosen.get(projectOf(sample.source))!]),
  );
}
