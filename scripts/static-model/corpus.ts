/** The texts that the teacher embeds: WordNet, addresses of US presidents, Node's documentation, own templates. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchSource, sha256 } from './inputs.ts';
import { everydayText, type Random } from './templates.ts';
import { fetchWordNet } from './wordnet.ts';

/** How many texts are taken of each kind, at most. */
const SHARES = {
  examples: 50_000,
  glosses: 34_000,
  pairs: 8_000,
  everyday: 32_000,
  speeches: 6_000,
  manual: 5_000,
} as const;

const SPEECHES_SINCE = 1946;
const SEED = 20_261_116;

/** mulberry32: small, fast, the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle<T>(list: T[], random: Random): T[] {
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Distinct texts in random, repeatable order. */
export function makeCorpus(cache: string, vocabulary: readonly string[]): string[] {
  const random = seeded(SEED);
  const some = (list: readonly string[], count: number): string[] =>
    shuffle([...new Set(list)], random).slice(0, count);
  const { synsets, nouns } = fetchWordNet(cache, vocabulary);
  const known = new Set(vocabulary);
  const definitions = synsets
    .filter((synset) => synset.lemmas.some((lemma) => lemma.split(' ').every((word) => known.has(word))))
    .map((synset) => `${synset.lemmas.slice(0, 3).join(', ')}: ${synset.gloss}`);
  const everyday = new Set<string>();
  while (everyday.size < SHARES.everyday) everyday.add(everydayText(nouns, random));
  const texts = [
    ...some(
      synsets.flatMap((synset) => synset.examples).filter((text) => text.includes(' ')),
      SHARES.examples,
    ),
    ...some(definitions, SHARES.glosses),
    ...some(
      synsets.flatMap((synset) =>
        synset.examples.map((text) => `${capital(synset.gloss)}. ${capital(text)}.`),
      ),
      SHARES.pairs,
    ),
    ...everyday,
    ...some(passages(speeches(cache), random), SHARES.speeches),
    ...some(passages(manual(cache), random), SHARES.manual),
  ];
  return shuffle([...new Set(texts)], random);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One, two or three sentences in a row. */
function passages(paragraphs: readonly string[], random: Random): string[] {
  return paragraphs.flatMap((paragraph) => {
    const sentences = paragraph
      .split(/(?<=[.!?]) +(?=[A-Z])/)
      .filter((text) => text.length > 15 && text.length < 300);
    const found: string[] = [];
    for (let at = 0; at < sentences.length; ) {
      const count = 1 + Math.floor(random() * 3);
      found.push(sentences.slice(at, at + count).join(' '));
      at += count;
    }
    return found;
  });
}

function speeches(cache: string): string[] {
  const folder = fetchSource(cache, 'speeches');
  const recent = readdirSync(folder)
    .sort()
    .filter((file) => file.endsWith('.txt') && Number.parseInt(file, 10) >= SPEECHES_SINCE);
  return recent.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => line.trim()),
  );
}

/** The prose in the doc comments of Node's type declarations, without code and tags. */
function manual(cache: string): string[] {
  const folder = fetchSource(cache, 'manual');
  return readdirSync(folder)
    .sort()
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(([, comment]) =>
        comment!
          .replace(/^\s*\* ?/gm, '')
          .replace(/```[\s\S]*?```/g, '\n\n')
          .split(/\n\s*\n|\n(?=@|- )/)
          .filter((part) => !/^\s*@/.test(part))
          .map((part) =>
            part
              .replace(/[`*[]|\]\([^)]*\)|\{@\w+|\}/g, '')
              .replace(/\s+/g, ' ')
              .trim(),
          ),
      ),
    );
}

export function corpusHash(texts: readonly string[]): string {
  return sha256(Buffer.from(texts.join('\n')));
}
