/** What search returns by default: how much of it answers, how much of the answers it has, and when it should have been silent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, Suite } from '../lib/suite.ts';
import { askSmallStores, summarise } from '../precision/small-stores.ts';
import { create } from '../recall/keepsake.ts';

const BENCHES = join(import.meta.dirname, '../../../shared/bench/lib/benches/index.mjs');
/** English sets with a memory of their own for each person or conversation, so that the questions of others are strange to it. */
const SETS = ['locomo', 'lme_turn', 'beam', 'letta'];
const MOST_MEMORIES = 10;
const QUESTIONS = 40;
const STRANGE_QUESTIONS = 2;
/** The fifth kind of question of LoCoMo asks one speaker about what the other one said. */
const UNANSWERABLE = '5 ';

interface Task {
  readonly docs: Parameters<Awaited<ReturnType<typeof create>>['build']>[0];
  readonly queries: readonly {
    readonly text: string;
    readonly cats: readonly string[];
    readonly ctx?: { readonly date?: string };
  }[];
}

type Benches = Readonly<Record<string, (options: object) => Iterable<Task>>>;

const percent = (part: number): number => Math.round(1_000 * part) / 10;

function some<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

async function topicDrift(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const embedding of ['static', 'none'] as const) {
    const { answeredInVain, tokensPerQuestion } = summarise(await askSmallStores(embedding, { drift: true }));
    rows.push({
      what: `topic drift: what other stores are asked${embedding === 'none' ? ', without an embedding model' : ''}`,
      'precision %': '',
      'recall %': '',
      'unanswerable ones answered %': percent(answeredInVain),
      'tokens in a prompt': Math.round(10 * tokensPerQuestion) / 10,
    });
  }
  return rows;
}

async function smallStores(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, embedding, all, group] of [
    ['small stores, default', 'static', false, 'stores'],
    ['small stores, without an embedding model', 'none', false, 'stores'],
    ['small stores, everything (all: true)', 'static', true, 'stores'],
    ['whom and which one, default', 'static', false, 'names'],
    ['whom and which one, without an embedding model', 'none', false, 'names'],
    ['more of them', 'static', false, 'unseen'],
    ['more of them, without an embedding model', 'none', false, 'unseen'],
    ['thirty of all kinds', 'static', false, 'fresh'],
    ['thirty of all kinds, without an embedding model', 'none', false, 'fresh'],
    ['five more stores, default', 'static', false, 'development'],
    ['five more stores, without an embedding model', 'none', false, 'development'],
    ['five held-out stores, default', 'static', false, 'held-out'],
    ['five held-out stores, without an embedding model', 'none', false, 'held-out'],
  ] as const) {
    const { precision, recall, answeredInVain, tokensPerQuestion } = summarise(
      await askSmallStores(embedding, { all, group }),
    );
    rows.push({
      what,
      'precision %': percent(precision),
      'recall %': percent(recall),
      'unanswerable ones answered %': percent(answeredInVain),
      'tokens in a prompt': all ? '' : Math.round(tokensPerQuestion),
    });
  }
  return rows;
}

/** Of the questions that a memory can answer, and of those about somebody else, how many get any answer. */
async function publicSets(
  embedding: 'static' | 'none',
  most: number,
  progress: (text: string) => void,
): Promise<Row[]> {
  const { benches } = (await import(BENCHES)) as { benches: Benches };
  const tasks = SETS.flatMap((name) =>
    [...benches[name]!({})].slice(0, most).map((task) => ({ name, ...task })),
  );
  const retriever = await create({ embedding });
  const counts = new Map(SETS.map((name) => [name, { own: [0, 0], strange: [0, 0] }]));
  for (const [i, { name, docs, queries }] of tasks.entries()) {
    progress(`${embedding}: memory ${i + 1} of ${tasks.length}`);
    const memory = await retriever.build(docs);
    const count = async (kind: 'own' | 'strange', text: string, date?: string): Promise<void> => {
      const tally = counts.get(name)![kind];
      tally[0]! += Number(await memory.answers(text, date));
      tally[1]! += 1;
    };
    const answerable = queries.filter(
      ({ cats }) => !cats.some((category) => category.startsWith(UNANSWERABLE)),
    );
    for (const { text, ctx } of some(answerable, QUESTIONS)) await count('own', text, ctx?.date);
    for (const other of tasks)
      if (other.docs !== docs)
        for (const { text } of some(other.queries, STRANGE_QUESTIONS)) await count('strange', text);
    await memory.close();
  }
  return [...counts].map(([name, { own, strange }]) => ({
    what: `${name}${embedding === 'none' ? ', without an embedding model' : ''}`,
    'precision %': '',
    'recall %': percent(own[0]! / Math.max(1, own[1]!)),
    'unanswerable ones answered %': percent(strange[0]! / Math.max(1, strange[1]!)),
    'tokens in a prompt': '',
  }));
}

export const precision: Suite = {
  name: 'precision',
  question:
    'What search returns by default: 197 questions to small stores (bench/precision/stores); 104 about whom and which one is meant (bench/precision/names), 62 more of them (bench/precision/unseen), 30 of all kinds (bench/precision/fresh), 159 in five more stores (bench/precision/development) and 161 in five stores that were not used to choose anything (bench/precision/held-out); and, on public sets, the share of questions that get any answer (as recall), of those that the memory can answer and of those about somebody else',
  async run({ quick, progress }) {
    const rows = [...(await smallStores()), ...(await topicDrift())];
    if (existsSync(BENCHES)) {
      const most = quick ? 3 : MOST_MEMORIES;
      rows.push(
        ...(await publicSets('static', most, progress)),
        ...(await publicSets('none', most, progress)),
      );
    }
    const [first] = rows;
    return {
      rows,
      headline: [
        { name: 'precision in small stores %', value: Number(first!['precision %']), aim: '≥ 80' },
        { name: 'recall in small stores %', value: Number(first!['recall %']), aim: '≥ 95' },
        {
          name: 'unanswerable ones answered %',
          value: Number(first!['unanswerable ones answered %']),
          aim: '≤ 10',
        },
      ],
    };
  },
};
