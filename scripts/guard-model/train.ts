/** Logistic regression over hashed features, by AdaGrad; small enough for one core and a minute. */
import { addFeatures, Features, TABLE_SIZE } from '../../src/guard/intent/features.ts';
import { FEW, FEW_MEANT, type IntentTable } from '../../src/guard/intent/intent-model.ts';
import { eachSentence, MAX_STRETCH } from '../../src/guard/intent/sentences.ts';
import { normalise } from '../../src/guard/normalise.ts';
import { type Random, shuffle } from './templates.ts';

export interface Example {
  readonly rows: Int32Array;
  readonly meant: Int32Array;
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
    features.clear();
    addFeatures(normal, start, end, features);
    const { count, meantCount } = features;
    const [rows, meant] = [features.rows.slice(0, count), features.meant.slice(0, meantCount)];
    if (count > 0) found.push({ rows, meant, isOrder, weight });
  }
  return found;
}

export interface Settings {
  readonly epochs: number;
  /** How often the examples are read for what words mean, before how they are worded. */
  readonly meantEpochs: number;
  readonly rate: number;
  readonly decay: number;
}

/**
 * What words mean is learned first and then kept: learned together, the words of the training would explain most, and little would be left
 * for languages and words that it never saw.
 */
export function train(
  examples: readonly Example[],
  { epochs, meantEpochs, rate, decay }: Settings,
  random: Random,
): IntentTable {
  const weights = new Float32Array(TABLE_SIZE);
  const squares = new Float32Array(TABLE_SIZE).fill(1e-6);
  let bias = 0;
  // The mean of several epochs depends less on the order in which the examples were read than the last one does.
  const mean = new Float64Array(TABLE_SIZE);
  let meanBias = 0;
  const averaged = Math.ceil(epochs / 2);
  const sumOf = (rows: Int32Array): number => {
    let sum = 0;
    for (const row of rows) sum += weights[row]!;
    return sum;
  };
  for (let epoch = -meantEpochs; epoch < epochs; epoch++) {
    for (const { rows, meant, isOrder, weight } of shuffle(examples, random)) {
      const norm = 1 / Math.sqrt(rows.length + FEW);
      const meantNorm = 1 / Math.sqrt(meant.length + FEW_MEANT);
      const odds = sumOf(rows) * norm + sumOf(meant) * meantNorm + bias;
      const error = (1 / (1 + Math.exp(-odds)) - (isOrder ? 1 : 0)) * weight;
      bias -= 0.01 * error;
      if (Math.abs(error) < 1e-3) continue;
      const [learned, itsNorm] = epoch < 0 ? [meant, meantNorm] : [rows, norm];
      for (const row of learned) {
        const slope = error * itsNorm + decay * weights[row]!;
        squares[row]! += slope * slope;
        weights[row]! -= (rate * slope) / Math.sqrt(squares[row]!);
      }
    }
    if (epoch < epochs - averaged) continue;
    for (let i = 0; i < TABLE_SIZE; i++) mean[i]! += weights[i]! / averaged;
    meanBias += bias / averaged;
  }
  return quantise(Float32Array.from(mean), meanBias);
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
