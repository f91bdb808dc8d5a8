/** Detects older text encodings, or reports that the encoding is ambiguous. */

interface Candidate {
  readonly encoding: string;
  /** Whether what it decodes to reads like a text of the languages that it is for. */
  readonly isPlausible: (text: string) => boolean;
}

/** So much of a file says in which language it is. */
const SAMPLE = 64 * 1024;
/** With fewer foreign letters than this, everything would be a guess. */
const FEWEST = 8;

const BEYOND_ASCII = /[^\u0000-\u007f]/gu;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The most frequent characters make a third of every Chinese text; those of a wrong decoding are rare ones. */
const COMMON_SIMPLIFIED =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市向应用件系统数据文件说明]/gu;
const COMMON_TRADITIONAL =
  /[的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市應用件系統資料檔]/gu;

/** Western letters stand between plain ones; letters of another script stand among themselves. */
const isApart = (text: string, script: string): boolean => {
  const mixed = new RegExp(String.raw`[a-zA-Z]\p{Script=${script}}|\p{Script=${script}}[a-zA-Z]`, 'gu');
  const words = new RegExp(String.raw`\p{Script=${script}}+`, 'gu');
  return count(text, mixed) <= count(text, words) * 0.1;
};

function isJapanese(text: string): boolean {
  const all = count(text, BEYOND_ASCII);
  const kana = count(text, /[\p{Script=Hiragana}\u30a1-\u30fc]/gu);
  const other = count(
    text,
    /[^\u0000-\u007f\p{Script=Han}\p{Script=Hiragana}\u30a1-\u30fc\u3000-\u303f\uff01-\uff5e○●◎△▲□■◇◆☆★※→←↑↓…―‐×÷℃]/gu,
  );
  return kana >= all * 0.2 && other <= all * 0.05;
}

const isChinese =
  (common: RegExp) =>
  (text: string): boolean => {
    const all = count(text, BEYOND_ASCII);
    const han = count(text, /\p{Script=Han}/gu);
    const other = count(text, /[^\u0000-\u007f\p{Script=Han}\u3000-\u303f\uff01-\uff5e“”‘’…—·×→]/gu);
    return other <= all * 0.05 && count(text, common) >= han * 0.25;
  };

function isKorean(text: string): boolean {
  const all = count(text, BEYOND_ASCII);
  // Of 11,172 syllables, texts use few hundred, and these hundred most of the time.
  const common = count(
    text,
    /[이다는의을가에고를하지로은한도사기서인나어리자시그아있게수라해보정대일부전것들면에스장여니과만상들으와주구제거원실했요습합입]/gu,
  );
  return count(text, /\p{Script=Hangul}/gu) >= all * 0.8 && common >= all * 0.35;
}

function isCyrillic(text: string): boolean {
  const all = count(text, BEYOND_ASCII);
  const letters = count(text, /\p{Script=Cyrillic}/gu);
  const small = count(text, /[\u0430-\u045f]/gu);
  const common = count(text, /[оеаинтсрвлк]/gu);
  return (
    letters >= all * 0.85 && small >= letters * 0.6 && common >= letters * 0.45 && isApart(text, 'Cyrillic')
  );
}

const CANDIDATES: readonly Candidate[] = [
  { encoding: 'euc-jp', isPlausible: isJapanese },
  { encoding: 'shift_jis', isPlausible: isJapanese },
  { encoding: 'euc-kr', isPlausible: isKorean },
  { encoding: 'gb18030', isPlausible: isChinese(COMMON_SIMPLIFIED) },
  { encoding: 'big5', isPlausible: isChinese(COMMON_TRADITIONAL) },
  { encoding: 'windows-1251', isPlausible: isCyrillic },
  { encoding: 'koi8-r', isPlausible: isCyrillic },
];

/** Undefined when it fits none of them, or has too little to tell. */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  let sample = bytes.subarray(0, SAMPLE);
  if (bytes.length > SAMPLE) {
    // Cut after a line, so that no character is cut in two.
    const end = sample.lastIndexOf(10);
    if (end > 0) sample = sample.subarray(0, end);
  }
  for (const { encoding, isPlausible } of CANDIDATES) {
    const text = decodedAs(encoding, sample);
    if (text !== undefined && count(text, BEYOND_ASCII) >= FEWEST && isPlausible(text)) return encoding;
  }
  return undefined;
}

/** What a page or an XML file says of itself, and what a Python or Emacs file says in its first lines. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024));
  const found =
    /<\?xml[^>]{0,200}?\bencoding=["']([\w-]{2,40})/i.exec(head) ??
    /<meta[^>]{0,200}?\bcharset=["']?\s*([\w-]{2,40})/i.exec(head) ??
    /^(?:.*\r?\n)?.*?coding[:=][ \t]*([\w-]{2,40})/.exec(head);
  return found?.[1];
}

/** Undefined when the bytes are none of this encoding, or it is not known. */
export function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
