/** Measures recall, precision and abstention on the user's own questions. */

import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { z } from '../kernel/zod.ts';
import type { RecordService } from '../records/index.ts';

const evaluationCase = z.strictObject({
  query: z.string().trim().min(1),
  /** Ids of memories, or texts that they contain. Empty: nothing in memory answers the question. */
  expect: z.array(z.string().trim().min(1)),
  agent: z.string().optional(),
});
export type EvaluationCase = z.output<typeof evaluationCase>;

/** What is varied; one row of the report each. */
const SETTINGS = [
  { name: 'default', options: {} },
  { name: 'limit 3', options: { limit: 3 } },
  { name: 'everything found', options: { minRelevance: 0 } },
  { name: 'relevance ≥ 0.3', options: { minRelevance: 0.3 } },
  { name: 'relevance ≥ 0.5', options: { minRelevance: 0.5 } },
] as const;

export interface Measured {
  readonly setting: string;
  /** Share of the expected memories that were returned; null without questions that have an answer. */
  readonly recall: number | null;
  /** Share of the returned memories that were expected; null when nothing was returned. */
  readonly precision: number | null;
  /** Share of the questions without an answer for which nothing was returned; null without such questions. */
  readonly abstention: number | null;
  /** Memories returned per question. */
  readonly returned: number;
}

export interface Miss {
  readonly query: string;
  /** What was expected and not returned. */
  readonly missing: readonly string[];
  /** What was returned first instead. */
  readonly first?: string;
}

export interface EvaluationReport {
  readonly cases: number;
  readonly settings: readonly Measured[];
  /** Of the default setting. */
  readonly misses: readonly Miss[];
}

/** One JSON object per line; a line that is not one is named by its number. */
export function parseCases(text: string, file: string): EvaluationCase[] {
  const cases = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [evaluationCase.parse(JSON.parse(line))];
    } catch (cause) {
      throw new KeepsakeError('INVALID_INPUT', `${file}:${index + 1} is not a case.`, {
        hint: 'A line looks like {"query": "which cache do we use?", "expect": ["Redis"]}; "expect": [] means that no memory answers the query.',
        cause,
      });
    }
  });
  if (cases.length > 0) return cases;
  throw new KeepsakeError('INVALID_INPUT', `${file} has no cases.`, {
    hint: 'Write one JSON object per line: {"query": "which cache do we use?", "expect": ["Redis"]}',
  });
}

interface Hit {
  readonly id: string;
  readonly content: string;
}

function answers({ id, content }: Hit, expected: string): boolean {
  return id === expected || content.toLowerCase().includes(expected.toLowerCase());
}

interface Result {
  readonly given: EvaluationCase;
  readonly hits: readonly Hit[];
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export function measure(setting: string, results: readonly Result[]): Measured {
  let [expected, found, returned, right, silent, unanswerable] = [0, 0, 0, 0, 0, 0];
  for (const { given, hits } of results) {
    expected += given.expect.length;
    found += given.expect.filter((each) => hits.some((hit) => answers(hit, each))).length;
    returned += hits.length;
    right += hits.filter((hit) => given.expect.some((each) => answers(hit, each))).length;
    if (given.expect.length > 0) continue;
    unanswerable += 1;
    silent += Number(hits.length === 0);
  }
  return {
    ...{ setting, recall: share(found, expected), precision: share(right, returned) },
    ...{ abstention: share(silent, unanswerable), returned: returned / results.length },
  };
}

function missesOf(results: readonly Result[]): Miss[] {
  return results.flatMap(({ given, hits }) => {
    const missing = given.expect.filter((each) => !hits.some((hit) => answers(hit, each)));
    const isWrong = missing.length > 0 || (given.expect.length === 0 && hits.length > 0);
    const first = hits[0]?.content;
    return isWrong ? [{ query: given.query, missing, ...(first === undefined ? {} : { first }) }] : [];
  });
}

/** Asks every question under every setting. Nothing is written, and looking does not count as an access. */
export async function evaluate(
  { records }: { readonly records: RecordService },
  cases: readonly EvaluationCase[],
  caller: Caller,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<EvaluationReport> {
  const settings: Measured[] = [];
  let misses: Miss[] = [];
  let done = 0;
  for (const { name, options } of SETTINGS) {
    const results: Result[] = [];
    for (const given of cases) {
      const viewer = given.agent === undefined ? caller.viewer : { ...caller.viewer, agent: given.agent };
      const hits = await records.search({ query: given.query, ...options }, { ...caller, viewer });
      results.push({ given, hits });
      done += 1;
      onProgress(done, cases.length * SETTINGS.length);
    }
    settings.push(measure(name, results));
    if (name === 'default') misses = missesOf(results);
  }
  return { cases: cases.length, settings, misses };
}
