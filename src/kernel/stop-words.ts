/** Stop words of questions, by language. */

const words = (text: string): string[] => text.trim().split(/\s+/);

export const ENGLISH: ReadonlySet<string> = new Set(
  words(
    `a about after all also an and any are as at be because been but by can could did do does for from had has have he
  her here him his how i if in into is it its just let me more my no not of on or our she should so some than that the
  their them then there these they this to too up us was we were what when where which who why will with would you
  your`,
  ),
);

/** No English words, so that they are left out wherever they stand. Without their accents, as terms are. */
const CERTAIN: readonly string[] = words(
  `aber alle allem allen aller alles auch auf aus bei beim bist dass dein deine dem denn der des diese diesem diesen
  dieser dieses doch durch ein eine einem einen einer eines euch euer gegen haben habe hast hatte ich ihm ihn ihr ihre
  ihren ist ja jede jeden jeder kann kein keine mein meine meinem meinen meiner mich mir muss nach nicht noch nur oder
  ohne sehr sein seine seinem seinen seiner seit sich sie sind uber und uns unser unsere unseren unter vom von vor wann warum
  weil welche welchem welchen welcher welches wem wen wer werden wie wieder wird wirst wo wohin woher wurde wurden wegen wogegen
  worauf zu zum zur zwischen
  au aux avec ce cet cette chez combien dans des donc dont du elle elles etait etes ete faut ils je leur
  leurs mais meme ne notre nous ou parce pas pourquoi quand que quel quelle quelles quels qui
  quoi ses sont tes tous toute toutes tres une vos votre vous
  adonde algo aquel aquella cual cuales cuando cuanto cuantos cuantas cuyo del desde donde ella ellas ellos
  eso esta estan este esto estoy fue fueron hasta mis muy nosotros nuestra nuestras nuestro nuestros
  pero por porque que quien quienes siempre sobre soy tambien tiene tienen unas unos usted ustedes`,
);

/** Arabic without its signs and with one spelling for each letter; Hindi as it is written. */
const OF_SCRIPTS: readonly string[] = words(
  `اين متي من ما ماذا هل كم كيف لماذا اي الي علي في عن مع هو هي هم هذا هذه ذلك التي الذي كان كانت ان او ثم قد لا لم لن كل بعد قبل عند انا نحن انت يجب
  है हैं हूँ हूं था थी थे का की के को में से पर ने और या भी तो ही यह वह ये वे मैं हम तुम आप मेरा मेरी मेरे हमारा हमारी हमारे क्या कब कहाँ कहां कौन किस
  किन कितने कितना कितनी क्यों कैसे सा सी से तक लिए एक करना करता करते करती होता होती होते गया गई गए जाना`,
);

/** English words as well: left out of a question that is in their language. */
const AMBIGUOUS: Readonly<Record<'german' | 'french' | 'spanish', ReadonlySet<string>>> = {
  german: new Set(
    words(
      'den im bin bis mit fur am an als bin da das die dir du er es hat ihnen in man so um war was wir will oft muss geht gibt',
    ),
  ),
  french: new Set(
    words(
      'comment par pour sans tout est les et ces lui moi toi mes nos tu sous sur a as ai c d de en ete fait il j l la le m ma mon n on s sa se si son t ta te ton un va',
    ),
  ),
  spanish: new Set(
    words(
      'son era con hay sin para ser su sus mas las los ya como y eres ese esa a al de e el en es ha han he la le lo me mi no o se si te ti tu un una va voy',
    ),
  ),
};

const places = (from: string, to: string): ReadonlySet<string> => {
  const start = CERTAIN.indexOf(from);
  return new Set(CERTAIN.slice(start, CERTAIN.indexOf(to, start) + 1));
};
const OF_LANGUAGE = {
  german: places('aber', 'zwischen'),
  french: places('au', 'vous'),
  spanish: places('adonde', 'ustedes'),
} as const;
const LANGUAGES = ['german', 'french', 'spanish'] as const;

/** Left out everywhere. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH, ...CERTAIN, ...OF_SCRIPTS]);

/** What else is left out of a question with these words: those of its language. */
export function ambiguousIn(asked: ReadonlySet<string>): ReadonlySet<string> {
  const language = languageOf(asked);
  return language === undefined ? NONE : AMBIGUOUS[language];
}

/** German, French or Spanish, if the words that say nothing are of one of these. */
export function languageOf(asked: ReadonlySet<string>): (typeof LANGUAGES)[number] | undefined {
  const count = (list: ReadonlySet<string>): number => [...asked].filter((word) => list.has(word)).length;
  const counts = LANGUAGES.map(
    (language) => [count(OF_LANGUAGE[language]), count(AMBIGUOUS[language]), language] as const,
  ).filter(([certain]) => certain > 0);
  const [best] = counts.sort((a, b) => b[0] + b[1] - (a[0] + a[1]));
  if (best === undefined) return undefined;
  const list = AMBIGUOUS[best[2]];
  const english = [...asked].filter((word) => ENGLISH.has(word) && !list.has(word)).length;
  return best[0] + best[1] > english ? best[2] : undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Pairs of Japanese that ask, conclude or connect. */
const JAPANESE: ReadonlySet<string> = new Set(
  words(
    `です でし ます ませ せん した して しま まし すか たか のか どこ こで こに いつ なに だれ どん んな どれ れば りま あり ある いる いま
    てい いて って では には とは のは はど はい はだ はな がで でき きま まで です から ので なん んで んの たの のです くだ ださ さい する すれ ばい いい いで つま でで
    でい いう うい はあ なの ない なか いの`,
  ),
);
const HIRAGANA = /\p{Script=Hiragana}/u;
const PARTICLE = /[はがをにでとのもへや]/u;

/** Whether two characters of a question in Japanese say nothing: an ending, or a word and the particle beside it. */
export function isEmptyPair(first: string, second: string): boolean {
  const kana = [HIRAGANA.test(first), HIRAGANA.test(second)];
  if (kana[0] && kana[1]) return JAPANESE.has(first + second);
  return (kana[0] === true && PARTICLE.test(first)) || (kana[1] === true && PARTICLE.test(second));
}

/** A character that is a word by itself: between signs of Hiragana, as in "車の鍵は". */
export function isOwnWord(before: string | undefined, character: string, after: string | undefined): boolean {
  if (!/\p{Script=Han}/u.test(character)) return false;
  const isApart = (beside: string | undefined): boolean =>
    beside === undefined || !/[\p{Script=Han}々]/u.test(beside);
  const hasKana = [before, after].some((beside) => beside !== undefined && HIRAGANA.test(beside));
  return hasKana && isApart(before) && isApart(after) && (after === undefined || PARTICLE.test(after));
}

const KOREAN_EMPTY =
  /^(?:어디|언제|무엇|무슨|누구|누가|얼마|어떤|어느|뭐|있나|있지|있습|있어|있는|합니|하나|해야|인가|주나|뒀|두었|하는)/u;
const KOREAN_ENDING =
  /(?<=.)(?:인가요|입니까|습니까|습니다|입니다|하나요|나요|까지|부터|에서|에게|으로|이나|은|는|이|가|을|를|에|의|로|와|과|도|만)$/u;

/** A word of a question in Korean without its particle; empty for one that only asks. */
export function withoutParticle(word: string): string {
  if (KOREAN_EMPTY.test(word)) return '';
  return word.replace(KOREAN_ENDING, '');
}
