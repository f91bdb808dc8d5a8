/** Logistic regression over hashed features, by AdaGrad; small enough for one core and a minute. */
import { addFeatures, Features, TABLE_SIZE } from '../../src/guard/intent/features.ts';
import { FEW, type IntentTable } from '../../src/guard/intent/intent-model.ts';
import { eachSentence, MAX_STRETCH } from '../../src/guard/intent/sentences.ts';
import { normalise } from '../../src/guard/normalise.ts';
import { type Random, shuffle } from './templates.ts';

export interface Example {
  readonly rows: Int32Array;
  readonly isOrder: boolean;
  readonly weight: number;
}

const STEPS = 127;

const features = new Features();

/** Stretches of a text as the guard sees them: all of a short one, and each part of a long one. */
export function examplesOf(text: string, isOrder: boolean, weight: number): Example[] {
  const normal = normalise(text).text;
  const stretches: [number, number][] = [];
  eachSentence(normal, (start, end) => {
    const last = stretches.at(-1);
    if (last !== undefined && end - last[0] <= MAX_STRETCH) last[1] = end;
    else stretches.push([start, end]);
  });
  // Which part of a long attack is the attack, nobody says.
  if (isOrder && stretches.length > 2) return [];
  const found: Example[] = [];
  for (const [start, end] of stretches) {
    features.count = 0;
    addFeatures(normal, start, end, features);
    if (features.count > 0) found.push({ rows: features.rows.slice(0, features.count), isOrder, weight });
  }
  return found;
}

export interface Settings {
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
}

export function train(
  examples: readonly Example[],
  { epochs, rate, decay }: Settings,
  random: Random,
): IntentTable {
  const weights = new Float32Array(TABLE_SIZE);
  const squares = new Float32Array(TABLE_SIZE).fill(1e-6);
  let bias = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { rows, isOrder, weight } of shuffle(examples, random)) {
      const norm = 1 / Math.sqrt(rows.length + FEW);
      let odds = bias;
      for (const row of rows) odds += weights[row]! * norm;
      const error = (1 / (1 + Math.exp(-odds)) - (isOrder ? 1 : 0)) * weight;
      bias -= 0.01 * error;
      if (Math.abs(error) < 1e-3) continue;
      for (const row of rows) {
        const slope = error * norm + decay * weights[row]!;
        squares[row]! += slope * slope;
        weights[row]! -= (rate * slope) / Math.sqrt(squares[row]!);
      }
    }
  }
  return quantise(weights, bias);
}

function quantise(weights: Float32Array, bias: number): IntentTable {
  // A few extreme weights must not cost all others their precision.
  const sizes = weights.map(Math.abs).sort();
  const most = sizes[Math.floor(sizes.length * 0.9995)]!;
  const scale = most / STEPS;
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-STEPS, Math.min(STEPS, Math.round(weight / scale))),
  );
  return { weights: rounded, scale, bias };
}
