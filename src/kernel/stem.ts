/** Porter's English stemmer (1980): "prefers", "preferred" and "preferring" become one term. */

const VOWEL = '[aeiouy]';
/** y is a vowel after a consonant; the usual trick is to write consonant runs with that in mind. */
const C = '[^aeiou]';
const V = '[aeiouy]';
const CC = `${C}[^aeiouy]*`;
const VV = `${V}[aeiou]*`;
const MEASURE_0 = new RegExp(`^(${CC})?${VV}${CC}`);
const MEASURE_1 = new RegExp(`^(${CC})?${VV}${CC}(${VV})?$`);
const MEASURE_2 = new RegExp(`^(${CC})?${VV}${CC}${VV}${CC}`);
const HAS_VOWEL = new RegExp(`^(${CC})?${VOWEL}`);
const SHORT = new RegExp(`^${CC}${VOWEL}[^aeiouwxy]$`);
const DOUBLE = /([^aeiouylsz])\1$/;

const STEP_2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const STEP_3: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};
const SUFFIX_2 =
  /^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/;
const SUFFIX_3 = /^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/;
const SUFFIX_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

function plural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return MEASURE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const match = /^(.+?)(ed|ing)$/.exec(word);
  if (match === null || !HAS_VOWEL.test(match[1]!)) return word;
  const stem = match[1]!;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return stem.slice(0, -1);
  return SHORT.test(stem) ? `${stem}e` : stem;
}

function mapped(word: string, suffix: RegExp, table: Readonly<Record<string, string>>): string {
  const match = suffix.exec(word);
  return match !== null && MEASURE_0.test(match[1]!) ? match[1]! + table[match[2]!] : word;
}

function dropSuffix(word: string): string {
  const match = SUFFIX_4.exec(word);
  if (match !== null) return MEASURE_2.test(match[1]!) ? match[1]! : word;
  const ion = /^(.+?[st])ion$/.exec(word);
  return ion !== null && MEASURE_2.test(ion[1]!) ? ion[1]! : word;
}

function tidy(word: string): string {
  let out = word;
  if (out.endsWith('e')) {
    const stem = out.slice(0, -1);
    if (MEASURE_2.test(stem) || (MEASURE_1.test(stem) && !SHORT.test(stem))) out = stem;
  }
  return out.endsWith('ll') && MEASURE_2.test(out) ? out.slice(0, -1) : out;
}

/** Stems a lower-case ASCII word; anything else comes back as it is. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let out = pastAndProgressive(plural(word));
  if (out.endsWith('y') && HAS_VOWEL.test(out.slice(0, -1))) out = `${out.slice(0, -1)}i`;
  return tidy(dropSuffix(mapped(mapped(out, SUFFIX_2, STEP_2), SUFFIX_3, STEP_3)));
}
