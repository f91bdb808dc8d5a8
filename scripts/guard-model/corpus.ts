/** Everything that the model may be trained with, by set, so that any set can be left out. */

import type { IntentTable } from '../../src/guard/intent/intent-model.ts';
import { ALWAYS_REFUSED, HARMLESS, REFUSED_FROM_STRANGERS } from '../../test/guard/attacks.ts';
import { HARMLESS_LIKE_THEM, INDIRECT_ORDERS } from '../../test/guard/indirect.ts';
import { FOREIGN_ATTACKS, FOREIGN_HARMLESS } from '../../test/guard/languages.ts';
import { LANGUAGES as ASIAN } from './languages/asian.ts';
import { english } from './languages/english.ts';
import { FREE_ORDERS } from './languages/english-free.ts';
import { FREE_ORDERS_OTHERS } from './languages/free-others.ts';
import { LANGUAGES as WESTERN } from './languages/germanic-and-romance.ts';
import { LANGUAGES as OTHERS } from './languages/slavic-and-others.ts';
import { READERS, type Texts } from './read-texts.ts';
import { SOURCES, type SourceName } from './sources.ts';
import { expand, type Language, pick, type Random, seeded, variants } from './templates.ts';
import { examplesOf, train } from './train.ts';
import { unpack } from './unpack.ts';

const SEED = 20_261_118;
const PER_TEMPLATE = { en: 90, other: 60 } as const;

/** What was worded one by one counts more often than each text of a template. */
const FREE_TIMES = 1;

const repeat = (texts: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => texts).flat();

export interface TextSet extends Texts {
  readonly name: string;
}

/** Texts of strangers seldom begin with the order; a sentence or two stand around it. */
function surround(order: string, around: readonly string[], random: Random): string {
  const chance = random();
  if (chance < 0.65) return order;
  if (chance < 0.8) return `${pick(around, random)} ${order}`;
  if (chance < 0.92) return `${order} ${pick(around, random)}`;
  return order.replace(/[.!?。]$/, '');
}

function ownTexts(language: Language, random: Random): TextSet {
  const count = language.name === 'en' ? PER_TEMPLATE.en : PER_TEMPLATE.other;
  const spread = (templates: readonly string[], each: number): string[] =>
    templates.flatMap((template) => variants(template, language.slots, each, random));
  const harmless = spread(language.harmless, count * 2);
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const free = language.name === 'en' ? FREE_ORDERS : (FREE_ORDERS_OTHERS[language.name] ?? []);
  const orders = [...spread(language.orders, count), ...repeat(free, FREE_TIMES)].map((order) =>
    surround(capital(expand(order, language.slots, random)), harmless, random),
  );
  return { name: `own-${language.name}`, orders, harmless };
}

/** Sentences that earlier versions of the guard were tested with. Those of test/guard/one-liners.ts are kept out: they measure this one. */
const TESTED: TextSet = {
  name: 'own-tests',
  orders: [
    ...[...ALWAYS_REFUSED, ...REFUSED_FROM_STRANGERS, ...FOREIGN_ATTACKS].map(([, text]) => text),
    ...INDIRECT_ORDERS,
  ],
  harmless: [...HARMLESS, ...FOREIGN_HARMLESS, ...HARMLESS_LIKE_THEM],
};

export async function makeCorpus(cache: string, mirror: string | undefined): Promise<TextSet[]> {
  const random = seeded(SEED);
  const own = [english, ...WESTERN, ...OTHERS, ...ASIAN].map((language) => ownTexts(language, random));
  const sets: TextSet[] = [TESTED, ...own];
  for (const name of Object.keys(SOURCES) as SourceName[]) {
    const folder = unpack(SOURCES[name], cache, mirror);
    sets.push({ name, ...(await READERS[name](folder, random)) });
  }
  return sets;
}

/** Languages with few texts count double, so that English does not decide alone. */
const weightOf = (name: string): number =>
  name === TESTED.name ? 50 : name.startsWith('own-') && name !== 'own-en' ? 2 : 1;

/** The table that these sets make; the same sets make the same table. */
export function trainOn(sets: readonly TextSet[]): IntentTable {
  const examples = sets.flatMap(({ name, orders, harmless }) => [
    ...orders.flatMap((text) => examplesOf(text, true, weightOf(name))),
    ...harmless.flatMap((text) => examplesOf(text, false, weightOf(name))),
  ]);
  return train(examples, { epochs: 8, meantEpochs: 5, rate: 0.25, decay: 1e-4 }, seeded(7));
}
