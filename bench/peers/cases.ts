/** Natural texts and questions about them: turns of LoCoMo, each with who speaks and when, and which of them answer a question. */
import { join } from 'node:path';

const BENCHES = join(import.meta.dirname, '../../../shared/bench/lib/benches/index.mjs');
/** Questions of the fifth kind have no answer in the conversation. */
const ANSWERABLE = 'ALL 1-4';
const QUERIES = 200;

export interface Question {
  readonly text: string;
  /** Any of these among the hits answers it. */
  readonly answers: readonly string[];
}

export interface Cases {
  readonly texts: readonly string[];
  readonly questions: readonly Question[];
}

interface Task {
  readonly docs: readonly { readonly id: string; readonly text: string }[];
  readonly queries: readonly {
    readonly text: string;
    readonly gold: ReadonlySet<string>;
    readonly cats: readonly string[];
  }[];
}

/** Whole conversations, as many as it takes for so many texts. */
export async function readCases(atLeast: number): Promise<Cases> {
  const { benches } = (await import(BENCHES)) as {
    benches: { readonly locomo: (options: object) => Iterable<Task> };
  };
  const texts = new Set<string>();
  const questions: Question[] = [];
  for (const { docs, queries } of benches.locomo({})) {
    if (texts.size >= atLeast) break;
    const textOf = new Map(docs.map(({ id, text }) => [id, text]));
    for (const { text } of docs) texts.add(text);
    for (const { text, gold, cats } of queries) {
      const answers = [...gold].flatMap((id) => textOf.get(id) ?? []);
      if (cats.includes(ANSWERABLE) && answers.length > 0) questions.push({ text, answers });
    }
  }
  const step = Math.max(1, questions.length / QUERIES);
  const some = Array.from(
    { length: Math.min(QUERIES, questions.length) },
    (_, i) => questions[Math.floor(i * step)]!,
  );
  return { texts: [...texts], questions: some };
}
