/** Text becomes the same terms when it is stored and when it is asked for, in every script. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, isTelling, queryTerms } from '../../src/kernel/analysis.ts';
import { STOP_WORDS } from '../../src/kernel/stop-words.ts';

/** Every telling term of the question is in the text. */
function finds(query: string, text: string): boolean {
  const terms = new Set(analyze(text));
  const asked = queryTerms(query);
  return asked.length > 0 && asked.every((term) => terms.has(term));
}

describe('analysis', () => {
  it.each([
    ['The Quick, brown FOX!', ['the', 'quick', 'brown', 'fox']],
    ["don't", ['don', 't']],
    ['multi-agent', ['multi', 'agent']],
    ['snake_case and camelCase', ['snake', 'case', 'and', 'camelcas']],
    ['v2.0', ['v2', '0']],
    ['東京', ['東', '東京', '京']],
    ['iPhoneを買う', ['iphon', 'を', 'を買', '買', '買う', 'う']],
    ['ﬁle ＡＢＣ', ['file', 'abc']],
    ['Keepsake™ costs ₨100', ['keepsak', 'tm', 'cost', 'rs', '100']],
    ['1½ cups', ['1', '1', '2', 'cup']],
    ['Silben\u00adtrennung', ['silbentrennung']],
    ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['☕ and 👩‍👩‍👧', ['emoji2615', 'and', 'emoji1f469', 'emoji1f469', 'emoji1f467']],
    ['', []],
    [' \n\t…!?"\'()*^:', []],
  ])('%j → %j', (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  it('repeats what is repeated, in order', () => {
    expect(analyze('b a b')).toEqual(['b', 'a', 'b']);
  });

  it('cuts a blob, so that its head still finds it', () => {
    const blob = 'x9'.repeat(50_000);
    expect(analyze(blob).every((term) => [...term].length <= 64)).toBe(true);
    expect(finds(blob, `key ${blob} end`)).toBe(true);
  });

  it('passes over halves of characters', () => {
    expect(analyze('a\ud800 b\udc00c')).toEqual(['a', 'b', 'c']);
  });
});

describe('a question finds a text', () => {
  it.each([
    ['Zurich', 'Zürich is a city'],
    ['zürich', 'ZURICH'],
    ['cafe\u0301', 'the café'],
    ['naive', 'a naïve idea'],
    ['größe', 'Die GRÖSSE'.replace('SS', 'ẞ')],
    ['Strasse', 'die lange Straße'],
    ['straße', 'DIE LANGE STRASSE'],
    ['coeur', 'le cœur'],
    ['encyclopædia', 'an encyclopaedia'],
    ['Aero', 'Ærø and ǢRØ'],
    ['Sorensen', 'Søren Sørensen'],
    ['Lodz', 'mieszka w Łodzi i w Łódź'],
    ['Djokovic Dordevic', 'Đorđević, Đjoković'],
    ['Thor', 'Þór'],
    ['Diyarbakir', 'DİYARBAKIR, Diyarbakır'],
    ['überraschung', 'Eine Überraschung!'],
    ['preferring', 'she prefers tea'],
    ['コーヒー', '彼はコーヒーが好きです'],
    ['東京', '私は東京に住んでいます'],
    ['커피', '커피를 좋아합니다'],
    ['กาแฟ', 'ฉันชอบดื่มกาแฟ'],
    ['кофе', 'Я люблю КОФЕ'],
    ['قهوة', 'أحب قهوة'],
    ['हिन्दी', 'मुझे हिन्दी पसंद है'],
    ['🎉', 'done 🎉🎉'],
    ['🇩🇪', 'lives in 🇩🇪 now'],
    ['ΟΔΟΣ', 'η οδος'],
    ['İstanbul', 'istanbul'],
    ['１２３', 'room 123'],
  ])('%s in %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('another emoji or flag is not found', () => {
    expect(finds('🎂', 'done 🎉')).toBe(false);
    expect(finds('🇫🇷', 'lives in 🇩🇪 now')).toBe(false);
  });
});

describe('the terms of a question', () => {
  it('leave out stop words, unless nothing else is left', () => {
    expect(queryTerms('what is the name of her cat')).toEqual(['name', 'cat']);
    expect(queryTerms('who are you')).toEqual(['who', 'ar', 'you']);
  });

  it('name each term once, up to a limit', () => {
    expect(queryTerms('tea tea TEA teas')).toEqual(['tea']);
    expect(queryTerms(Array.from({ length: 500 }, (_, i) => `word${i}`).join(' '))).toHaveLength(64);
    expect(queryTerms('one two three four', 2)).toHaveLength(2);
  });

  it('leave out single characters beside longer ones, and keep them when they are all there is', () => {
    expect(queryTerms('東京')).toEqual(['東京']);
    expect(queryTerms('京')).toEqual(['京']);
    expect(queryTerms('x')).toEqual(['x']);
  });

  it('tell one numbered or lettered thing from another', () => {
    expect(queryTerms('room 7')).toEqual(['room', '7']);
    expect(queryTerms('Is a vitamin C or a vitamin D in it?')).toEqual(['vitamin', 'c', 'd']);
    expect(queryTerms('部屋 7')).toEqual(['部屋', '7']);
    expect(queryTerms('7 京')).toEqual(['7', '京']);
  });

  it.each([
    ["What's Anna's room?", ['anna', 'room']],
    ['don’t stop', ['don', 'stop']],
    ["l'eau", ['eau']],
    ["O'Brien", ['brien']],
  ])('do not contain what an apostrophe cuts off: %s', (question, terms) => {
    expect(queryTerms(question)).toEqual(terms);
  });

  it('are quickly found for a question as long as a book', () => {
    expect(queryTerms('tea '.repeat(1_000_000))).toEqual(['tea']);
  });
});

/** Any sequence of code units, halves of characters included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
const scripts = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aZ09 \t.-_\'"東京ーかカ한글ไทยéßİſſﬁ\u0301\u0fb7\u200d\ufe0f🎉👩🇩🇪ЖΣςאع'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});

describe('for any text', () => {
  it('analysis never fails, always says the same, and makes terms without spaces', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, scripts), (text) => {
        const terms = analyze(text);
        expect(analyze(text)).toEqual(terms);
        for (const term of terms) {
          expect(term).not.toBe('');
          expect(term).not.toMatch(/[\s"'*^:(){}\u0000-\u001f]/u);
          expect([...term].length).toBeLessThanOrEqual(64);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('every term of the question is a term of the text it was taken from', () => {
    fc.assert(
      fc.property(scripts, (text) => {
        const terms = new Set(analyze(text));
        for (const term of queryTerms(text)) expect(terms.has(term)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('upper and lower case meet', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcxyzàéîõüñžЖдя ') }), (text) => {
        expect(analyze(text.toUpperCase())).toEqual(analyze(text));
      }),
    );
  });
});

describe('hostile text', () => {
  it('is analysed in linear time when it is a flood of combining marks', () => {
    // Quadratic sorting of marks would take minutes for this.
    const terms = analyze(`poison a${'\u0301\u0323'.repeat(400_000)} end`);
    expect(terms).toEqual(['poison', 'a', 'end']);
  });

  it('keeps the head of a word of a megabyte', () => {
    expect(analyze('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
  });
});

it('stop words say nothing, whatever analysis makes of them', () => {
  for (const word of STOP_WORDS) {
    expect(isTelling(word), word).toBe(false);
    for (const term of analyze(word)) expect(isTelling(term), term).toBe(false);
  }
});
