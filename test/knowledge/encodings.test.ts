/** Texts in older encodings are read right, or refused: nothing is stored as gibberish. */
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/knowledge/readers/decode.ts';

/** Node decodes all of these and encodes none, so the table of an encoding is turned around. */
function encoded(text: string, encoding: string): Uint8Array {
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let byte = 0x80; byte <= 0xff; byte++) table.set(decoder.decode(Uint8Array.of(byte)), [byte]);
  if (!/^(?:windows|koi8)/.test(encoding))
    for (let first = 0x81; first <= 0xfe; first++)
      for (let second = 0x40; second <= 0xfe; second++) {
        const char = decoder.decode(Uint8Array.of(first, second));
        if ([...char].length === 1 && !table.has(char)) table.set(char, [first, second]);
      }
  return Uint8Array.from(
    [...text].flatMap((char) => {
      const bytes = char < '\u0080' ? [char.charCodeAt(0)] : table.get(char);
      if (bytes === undefined) throw new Error(`${encoding} has no ${char}`);
      return bytes;
    }),
  );
}

const TEXTS: readonly [encoding: string, text: string][] = [
  [
    'shift_jis',
    '会議は毎週月曜日の午前十時から始まります。\r\n資料は前日までに共有フォルダへ置いてください。',
  ],
  ['euc-jp', '会議は毎週月曜日の午前十時から始まります。資料は前日までに共有フォルダへ置いてください。'],
  ['gb18030', '会议在每个星期一上午十点开始。请在前一天把文件放到共享的地方,这样大家都可以先看一看。'],
  ['big5', '會議在每個星期一上午十點開始。請在前一天把文件放到共享的地方,這樣大家都可以先看一看。'],
  ['euc-kr', '회의는 매주 월요일 오전 열 시에 시작합니다. 자료는 전날까지 공유 폴더에 넣어 주세요.'],
  [
    'windows-1251',
    'Совещание начинается каждый понедельник в десять часов. Документы кладите в общую папку.',
  ],
  ['koi8-r', 'Совещание начинается каждый понедельник в десять часов. Документы кладите в общую папку.'],
  [
    'windows-1252',
    'Die Besprechung über die Größe beginnt jeden Montag um zehn – bitte Unterlagen für alle mitbringen.',
  ],
  [
    'windows-1252',
    'La réunion commence à dix heures, où l’on prépare déjà l’été : « tout est prêt », dit-elle.',
  ],
  [
    'windows-1252',
    'El niño comió una piña mañana; la reunión está en el año que viene, ¿verdad? ¡Sí, señor!',
  ],
];

describe('a text in an older encoding', () => {
  it.each(TEXTS)('is read from %s: %s', (encoding, text) => {
    expect(decodeText(encoded(text, encoding))).toBe(text);
    const code = `function a() {\n  // ${text}\n  return 1;\n}\n`;
    expect(decodeText(encoded(code, encoding))).toBe(code);
  });

  it('is read as a page says of itself', () => {
    const page = '<meta charset="windows-1251"><p>Да</p>';
    expect(decodeText(encoded(page, 'windows-1251'))).toBe(page);
    const xml = '<?xml version="1.0" encoding="Shift_JIS"?><a>犬</a>';
    expect(decodeText(encoded(xml, 'shift_jis'))).toBe(xml);
  });

  it('is refused where nothing tells which one it is', () => {
    for (const [encoding, text] of [
      ['windows-1253', 'Η συνάντηση αρχίζει κάθε Δευτέρα στις δέκα το πρωί.'],
      ['windows-1255', 'הפגישה מתחילה בכל יום שני בשעה עשר.'],
      ['gb18030', '龘靐齉爩'],
    ] as const)
      expect(decodeText(encoded(text, encoding)), text).toBeUndefined();
  });

  it('is never made of random bytes', () => {
    let state = 7;
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from({ length: 200 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return 0x80 + ((state >> 16) % 128);
      });
      expect(decodeText(bytes)).toBeUndefined();
    }
  });
});
