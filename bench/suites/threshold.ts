/** What a threshold on relevance keeps of the questions that a memory can answer, and lets through of those that it cannot. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, Suite } from '../lib/suite.ts';
import { create } from '../recall/keepsake.ts';

const BENCHES = join(import.meta.dirname, '../../../shared/bench/lib/benches/index.mjs');
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
/** English sets with a memory of their own for each person or conversation, so that the questions of others are strange to it. */
const SETS = ['locomo', 'lme_turn', 'beam'];
const MOST_MEMORIES = 10;
const QUESTIONS = 40;
const STRANGE_QUESTIONS = 10;

interface Question {
  readonly text: string;
  readonly ctx?: { readonly date?: string };
}

interface Task {
  readonly docs: Parameters<Awaited<ReturnType<typeof create>>['build']>[0];
  readonly queries: readonly Question[];
}

type Benches = Readonly<Record<string, (options: object) => Iterable<Task>>>;

/** Some of many, evenly spread. */
function some<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

function take<T>(from: Iterable<T>, most: number): T[] {
  const taken: T[] = [];
  for (const each of from) {
    taken.push(each);
    if (taken.length === most) break;
  }
  return taken;
}

const share = (values: readonly number[], least: number): number =>
  Math.round((100 * values.filter((value) => value >= least).length) / values.length);

export const threshold: Suite = {
  name: 'threshold',
  question:
    'Questions of which the best hit reaches a relevance: those that the memory can answer, and those about somebody else',
  async run({ quick, progress }) {
    if (!existsSync(BENCHES))
      throw new Error(`The data sets are not part of the repository; expected ${BENCHES}.`);
    const { benches } = (await import(BENCHES)) as { benches: Benches };
    const tasks = SETS.flatMap((name) => take(benches[name]!({}), quick ? 2 : MOST_MEMORIES));
    const retriever = await create();
    const [own, strange]: [number[], number[]] = [[], []];
    for (const [i, { docs, queries }] of tasks.entries()) {
      progress(`memory ${i + 1} of ${tasks.length}`);
      const memory = await retriever.build(docs);
      for (const { text, ctx } of some(queries, QUESTIONS)) own.push(await memory.relevance(text, ctx?.date));
      for (const other of tasks.filter((task) => task.docs !== docs))
        for (const { text } of some(other.queries, Math.ceil(STRANGE_QUESTIONS / SETS.length)))
          strange.push(await memory.relevance(text));
      await memory.close();
    }
    const rows = THRESHOLDS.map(
      (least): Row => ({
        what: `relevance ≥ ${least}`,
        'of those it can answer %': share(own, least),
        'of those about somebody else %': share(strange, least),
      }),
    );
    return { rows, headline: [] };
  },
};
