/** Measures how a table's similarities are to be read, on texts that it was not trained with. */
import type { Matrix } from './matrix.ts';

/** Cosine of the teacher from which on two texts count as saying the same; unrelated ones are about 0.7. */
const SAME_FOR_TEACHER = 0.9;

export interface Calibration {
  readonly unrelated: number;
  readonly same: number;
}

export interface Measured {
  readonly calibration: Calibration;
  readonly unrelatedMean: number;
  readonly unrelated99: number;
  readonly samePairs: number;
}

/** Rows of both are unit vectors of the same texts; the table's may be zeros, which are left out. */
export function calibrate(own: Matrix, teacher: Matrix): Measured {
  const unrelated: number[] = [];
  const same: number[] = [];
  for (let a = 0; a < own.rows; a += 1) {
    for (let b = a + 1; b < own.rows; b += 1) {
      const neighbours = b - a < 20;
      const alike = cosine(teacher, a, b) >= SAME_FOR_TEACHER;
      if (!neighbours && !alike) continue;
      const value = cosine(own, a, b);
      // The order of the texts is random, so that neighbours are random pairs.
      if (neighbours) unrelated.push(value);
      if (alike) same.push(value);
    }
  }
  unrelated.sort((a, b) => a - b);
  same.sort((a, b) => a - b);
  const at = (list: readonly number[], share: number): number =>
    round(list[Math.floor(list.length * share)]!);
  return {
    calibration: { unrelated: at(unrelated, 0.95), same: at(same, 0.5) },
    unrelatedMean: round(unrelated.reduce((sum, x) => sum + x, 0) / unrelated.length),
    unrelated99: at(unrelated, 0.99),
    samePairs: same.length,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function cosine({ data, columns }: Matrix, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < columns; i += 1) sum += data[a * columns + i]! * data[b * columns + i]!;
  return sum;
}
