/** Runs inside the tests of the coverage pass: writes down for each test file which of its tests called which function. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { CallsOfFile } from './coverage.ts';
import { CALLED } from './functions.ts';

const folder = process.env.KEEPSAKE_MUTANTS_CALLS!;
const place = globalThis as unknown as Record<string, Set<string>>;

// Setup files run again for each test file, also where several share a process.
const tests: string[] = [];
const costs: number[] = [];
const calls: Record<string, number[]> = {};
let before = process.cpuUsage();

function note(test: number): void {
  for (const called of place[CALLED] ?? []) {
    const by = calls[called];
    if (by === undefined) calls[called] = [test];
    else by.push(test);
  }
  place[CALLED] = new Set();
}

beforeAll(() => {
  place[CALLED] = new Set();
});
beforeEach(() => {
  // What is called between the tests is called for all of them.
  note(-1);
  before = process.cpuUsage();
});
afterEach(({ task }) => {
  note(tests.push(task.fullTestName) - 1);
  // Not by the clock, which other processes slow down.
  const { user, system } = process.cpuUsage(before);
  costs.push(Math.round((user + system) / 1_000));
});
afterAll(() => {
  note(-1);
  const file = expect.getState().testPath!;
  const found: CallsOfFile = { file, tests, costs, calls };
  writeFileSync(join(folder, `${file.replaceAll(/[^\w.-]+/g, '_')}.json`), JSON.stringify(found));
});
