/** Look-alikes of Latin letters in other scripts, and digits that replace letters. */

/** Pairs: the look-alike, then the letter it passes for. Lower case only; texts are lowered first. */
const CYRILLIC = 'аaвbсcеeһhіiїiјjкkмmнhоoрpѕsтtуyхxѵvԁdԛqԝwбbгrпnзeѐeёeүyҽeӏlьbъb';
const GREEK = 'αaβbγyδdεeζzηnθoιiκkλlμuνvξeοoπnρpσoςsτtυuφoχxψwωw';
const OTHERS = 'ıiɡgɑaɩiʏyᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzɪiɴnʀrʟlԍgǝeøođdłlħhŧt';

function pairs(text: string): [string, string][] {
  const letters = [...text];
  const found: [string, string][] = [];
  for (let i = 0; i + 1 < letters.length; i += 2) found.push([letters[i]!, letters[i + 1]!]);
  return found;
}

const LOOK_ALIKES = new Map([...pairs(CYRILLIC), ...pairs(GREEK), ...pairs(OTHERS)]);
const DIGITS = new Map(pairs('0o1i3e4a5s7t8b@a$s!i'));

function replaceEach(text: string, table: ReadonlyMap<string, string>): string {
  let out = '';
  for (const letter of text) out += table.get(letter) ?? letter;
  return out;
}

/** What a word of borrowed letters would be read as. */
export function foldLookAlikes(text: string): string {
  return replaceEach(text, LOOK_ALIKES);
}

/** What `1gn0r3` would be read as. */
export function foldDigits(word: string): string {
  return replaceEach(word, DIGITS);
}
