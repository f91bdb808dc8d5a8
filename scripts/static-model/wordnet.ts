/** Reads WordNet's database files: definitions, example sentences, and the everyday words of a field. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchSource } from './inputs.ts';

const FILES = ['data.adj', 'data.adv', 'data.noun', 'data.verb'];

/** WordNet's numbers of the fields that the templates need. */
const FIELDS = {
  activity: 4,
  animal: 5,
  thing: 6,
  body: 8,
  idea: 9,
  message: 10,
  event: 11,
  feeling: 12,
  food: 13,
  group: 14,
  place: 15,
  person: 18,
  plant: 20,
  possession: 21,
  condition: 26,
  substance: 27,
} as const;
export type Field = keyof typeof FIELDS;

export interface Synset {
  readonly lemmas: readonly string[];
  readonly gloss: string;
  readonly examples: readonly string[];
}

export interface WordNet {
  readonly synsets: readonly Synset[];
  /** Common nouns whose first sense belongs to the field. */
  readonly nouns: Readonly<Record<Field, readonly string[]>>;
}

/** A noun is common if WordNet's tagged texts or the teacher's vocabulary have it. */
export function fetchWordNet(cache: string, vocabulary: readonly string[]): WordNet {
  const folder = fetchSource(cache, 'wordnet');
  const lines = FILES.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => /^\d{8} /.test(line))
      .map((line) => ({ file, line })),
  );
  const fieldOf = new Map<string, number>();
  for (const { file, line } of lines) {
    if (file === 'data.noun') fieldOf.set(line.slice(0, 8), Number(line.slice(9, 11)));
  }
  return {
    synsets: lines.map(({ line }) => readSynset(line)),
    nouns: readNouns(readFileSync(join(folder, 'index.noun'), 'utf8'), fieldOf, new Set(vocabulary)),
  };
}

/** `offset field type count (lemma lex_id)… … | gloss; "example"; "example"` with the count in hexadecimal. */
function readSynset(line: string): Synset {
  const [data, text] = line.split(' | ', 2) as [string, string];
  const words = data.split(' ');
  const lemmas = Array.from({ length: Number.parseInt(words[3]!, 16) }, (_, i) =>
    words[4 + 2 * i]!.replace(/\(\w+\)$/, '').replaceAll('_', ' '),
  );
  const examples = [...text.matchAll(/"([^"]+)"/g)].map(([, example]) => example!.trim());
  return { lemmas, examples, gloss: text.split(/;? *"/, 1)[0]!.trim() };
}

/** `lemma pos senses pointers … senses tagged offset…`: the first offset is the commonest sense. */
function readNouns(
  index: string,
  fieldOf: ReadonlyMap<string, number>,
  known: ReadonlySet<string>,
): Record<Field, string[]> {
  const nouns = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, []])) as unknown as Record<
    Field,
    string[]
  >;
  for (const line of index.split('\n')) {
    const words = line.trim().split(' ');
    const senses = Number(words[2]);
    const [tagged, first] = [Number(words.at(-senses - 1)), words.at(-senses)];
    const lemma = words[0]!;
    if (!/^[a-z_]{3,}$/.test(lemma) || !(tagged > 0 || known.has(lemma))) continue;
    const field = Object.entries(FIELDS).find(([, number]) => number === fieldOf.get(first!))?.[0];
    if (field) nouns[field as Field].push(lemma.replaceAll('_', ' '));
  }
  return nouns;
}
