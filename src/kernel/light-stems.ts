/** Light stemmers for languages other than English: "Häuser" matches "Haus", "سيارتي" matches "السيارة". */

/** German plurals with an umlaut: what is left is the singular. These end so already. */
const UMLAUT_ENDING = /(?:ern|er|en|e)$/;
const ENDS_IN_ER = new Set(['tochter', 'mutter', 'vater', 'bruder']);
const LEAST_UMLAUT = 4;

/** `bare` is the word without its umlauts. */
export function withoutUmlautEnding(word: string, bare: string): string {
  if (!/[äöü]/.test(word) || bare.length < LEAST_UMLAUT + 2 || ENDS_IN_ER.has(bare.replace(/n$/, '')))
    return bare;
  const short = bare.replace(UMLAUT_ENDING, '');
  return short.length >= LEAST_UMLAUT ? short : bare;
}

/** English words that would become another one. */
const STAYS = new Set([
  'listen',
  'fasten',
  'lessen',
  'hasten',
  'pollen',
  'warden',
  'gluten',
  'screen',
  'christen',
]);
const LEAST_EN = 6;

/** German plurals and infinitives, and French plurals, of a word that is stemmed as English. */
export function withoutForeignEnding(stem: string): string {
  if (stem.length >= LEAST_EN && stem.endsWith('en') && !STAYS.has(stem)) return stem.slice(0, -2);
  if (stem.length >= LEAST_EN && stem.endsWith('aux'))
    return stem.endsWith('eaux') ? stem.slice(0, -1) : `${stem.slice(0, -3)}al`;
  return stem;
}

const ARABIC = /^\p{Script=Arabic}+$/u;
const ARABIC_PREFIX = /^و?(?:بال|كال|فال|ال|لل)(?=..)/u;
const ARABIC_AND = /^و(?=...)/u;
const ARABIC_PRONOUN = /(?<=..)(?:ها|هم|هن|نا|كم|ي|ك)$/u;
const ARABIC_SUFFIX = /(?<=..)(?:ات|ان|ون|ين|يه|ه|ي|ا)$/u;

/** Without article, conjunction, pronouns and endings; the letters that are written in several ways are one. */
function arabicStem(word: string): string {
  const plain = word
    .replaceAll('ـ', '')
    .replaceAll('ى', 'ي')
    .replaceAll('ی', 'ي')
    .replaceAll('ک', 'ك')
    .replaceAll('ة', 'ه');
  const begun = plain.replace(ARABIC_PREFIX, '');
  const bare = begun === plain ? plain.replace(ARABIC_AND, '') : begun;
  const owned = bare.length > 4 ? bare.replace(ARABIC_PRONOUN, '') : bare;
  // Before a pronoun, the ending of a feminine noun is written as another letter.
  if (owned !== bare && owned.length > 3 && owned.endsWith('ت')) return owned.slice(0, -1).replace(/ا$/, '');
  return owned.length > 3 ? owned.replace(ARABIC_SUFFIX, '') : owned;
}

const DEVANAGARI = /\p{Script=Devanagari}/u;
const HINDI_VERB = /(?<=..)(?:ाना|ाने|ानी|ता|ती|ते|ना|ने|नी)$/u;
const HINDI_ENDING = /(?<=..)(?:ियों|ियां|इयां|इयों|ुओं|ओं|एं|एँ|ों|ें|ीं|ां|ा|ी|े|ि|ु|ू|ो|ं)$/u;

/** Without the endings of number, case and tense. Vowel signs are marks, but not accents. */
function hindiStem(word: string): string {
  const plain = word
    .normalize('NFD')
    .replaceAll('\u093c', '')
    .replaceAll('\u0901', '\u0902')
    .normalize('NFC');
  return plain.replace(HINDI_VERB, '').replace(HINDI_ENDING, '');
}

/** Undefined for words of a script whose endings are not known here. `bare` is the word without marks. */
export function stemOfScript(word: string, bare: string): string | undefined {
  if (DEVANAGARI.test(word)) return hindiStem(word);
  return ARABIC.test(bare) ? arabicStem(bare) : undefined;
}
