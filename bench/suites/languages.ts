/** How well facts are found in seven languages by questions in other words, by words only and with the model that comes along. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient } from '../../src/index.ts';
import type { Row, Suite } from '../lib/suite.ts';

const FOLDER = join(import.meta.dirname, '../languages');
const FIRST = 3;

type Pair = readonly [fact: string, question: string];

const percent = (part: number): number => Math.round(1_000 * part) / 10;

async function ask(name: string, pairs: readonly Pair[], embedding: 'static' | 'none'): Promise<Row> {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-languages-'));
  const client = createClient({ workspace, config: { models: { embedding } } });
  const { memory } = client.agent({ name: 'own' });
  const ids: string[] = [];
  for (const [content] of pairs) ids.push((await memory.add({ content })).id);
  if (embedding !== 'none') await (await client.open()).embedder.drain();
  let [first, early, returned, all] = [0, 0, 0, 0];
  for (const [place, [, question]] of pairs.entries()) {
    const everything = (await memory.search(question, { all: true })).map(({ id }) => id);
    const answers = (await memory.search(question)).map(({ id }) => id);
    first += Number(everything[0] === ids[place]);
    early += Number(everything.slice(0, FIRST).includes(ids[place]!));
    returned += Number(answers.includes(ids[place]!));
    all += answers.length;
  }
  await client.close();
  rmSync(workspace, { recursive: true, force: true });
  return {
    what: `${name}${embedding === 'none' ? ', words only' : ', default'}`,
    'first %': percent(first / pairs.length),
    [`among the first ${FIRST} %`]: percent(early / pairs.length),
    'returned by default %': percent(returned / pairs.length),
    'hits returned per question': Math.round((10 * all) / pairs.length) / 10,
  };
}

export const languages: Suite = {
  name: 'languages',
  question:
    'How many of 200 facts in seven languages (bench/languages) are found by a question that says it in other words, in stores of 28 or 29 facts',
  why: 'The built-in model knows English only; synonyms in other languages need a multilingual one.',
  async run({ progress }) {
    const rows: Row[] = [];
    for (const embedding of ['none', 'static'] as const)
      for (const file of readdirSync(FOLDER).sort()) {
        const name = basename(file, '.json');
        progress(`${name}, ${embedding}`);
        const pairs = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Pair[];
        rows.push(await ask(name, pairs, embedding));
      }
    const mean = (kind: string): number => {
      const values = rows.filter(({ what }) => what.endsWith(kind)).map((row) => Number(row['first %']));
      return Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;
    };
    return {
      rows,
      headline: [
        { name: 'words only, first %', value: mean('words only') },
        { name: 'default, first %', value: mean('default') },
      ],
    };
  },
};
