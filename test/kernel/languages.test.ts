/** Words of several languages: forms of one word meet in one term, and what only asks is not looked for. */
import { describe, expect, it } from 'vitest';
import { analyze, hasLargeNouns, queryTerms } from '../../src/kernel/analysis.ts';

const same = (...forms: readonly string[]): void => {
  expect(new Set(forms.map((form) => analyze(form).join(' '))), forms.join(', ')).toHaveProperty('size', 1);
};
const different = (...forms: readonly string[]): void => {
  expect(new Set(forms.map((form) => analyze(form).join(' '))).size, forms.join(', ')).toBe(forms.length);
};

describe('forms of a word', () => {
  it('meet in German', () => {
    same('Haus', 'Häuser', 'Häusern', 'haus');
    same('Buch', 'Bücher', 'Büchern');
    same('Lampe', 'Lampen');
    same('Rechnung', 'Rechnungen');
    same('Gast', 'Gäste');
    same('Tochter', 'Töchter');
    different('Mutter', 'Mutt');
  });

  it('meet in French and Spanish', () => {
    same('cheval', 'chevaux');
    same('gâteau', 'gâteaux', 'gateau');
    same('réunion', 'réunions');
    same('habitación', 'habitaciones', 'habitacion');
    same('llave', 'llaves');
  });

  it('meet in Arabic, with and without article, pronoun and signs', () => {
    same('سيارة', 'السيارة', 'سيارات', 'سيارتي', 'سيارتنا', 'والسيارة', 'سَيّارة');
    same('مدرسة', 'المدرسه', 'مدرسه');
    same('مهندس', 'مهندسون', 'المهندسين');
    same('على', 'علي');
    different('كتاب', 'كلب', 'قلب');
  });

  it('meet in Hindi, whose vowels are part of the word', () => {
    same('किताब', 'किताबें', 'किताबों');
    same('लड़का', 'लड़के', 'लड़कों', 'लड़की', 'लड़कियाँ', 'लड़कियां');
    same('लिखता', 'लिखते', 'लिखना', 'लिखा');
    different('काम', 'कम');
    different('दिन', 'दान', 'दूना');
  });

  it('stay apart in English', () => {
    different('listen', 'list');
    different('pollen', 'poll');
    different('often', 'oft');
    different('hidden', 'hide', 'hid');
    different('Maria', 'Mario', 'Mary');
    different('Steven', 'Stefan', 'step');
    same('kitten', 'kittens');
    same('listening', 'listened', 'listens');
    same('happen', 'happened', 'happening');
  });
});

describe('a question', () => {
  it.each([
    ['Wo ist der Schlüssel von Anna?', ['schlussel', 'anna']],
    ['Où est la clé de ma voiture ?', ['cle', 'voitur']],
    ['¿Dónde está la llave de mi coche?', ['llave', 'coch']],
    ['أين مفتاح السيارة؟', ['مفتاح', 'سيار']],
    ['गाड़ी की चाबी कहाँ है?', ['गाड', 'चाब']],
    ['車の鍵はどこですか?', ['車', '鍵']],
    ['車庫の予備の鍵は?', ['車庫', '予備', '鍵']],
    ['自動車保険はいつまでですか', ['自動', '動車', '車保', '保険']],
    ['열쇠는 어디에 있나요?', ['열쇠']],
    ['우리 차를 어디에 두었나요?', ['우리', '차']],
    ['钥匙在哪里?', ['钥匙', '匙在', '在哪', '哪里']],
    ['Where is the key of Anna?', ['kei', 'anna']],
  ])('asks for what it is about: %s', (question, terms) => {
    expect(queryTerms(question).sort()).toEqual([...terms].sort());
  });

  it('keeps English words that are words of another language, too', () => {
    expect(queryTerms('Did the plants die?')).toEqual(['plant', 'die']);
    expect(queryTerms('flights to LA')).toEqual(['flight', 'la']);
    expect(queryTerms('who won the war')).toEqual(['won', 'war']);
    expect(queryTerms('Warum ist die Pflanze tot?')).toEqual(['pflanz', 'tot']);
  });

  it('that only asks is looked for as it is', () => {
    expect(queryTerms('Was ist das?').length).toBeGreaterThan(0);
    expect(queryTerms('どこですか').length).toBeGreaterThan(0);
    expect(queryTerms('어디 있나요').length).toBeGreaterThan(0);
    expect(queryTerms('أين').length).toBeGreaterThan(0);
  });

  it('in German has capital letters that name nobody', () => {
    expect(hasLargeNouns('Wo liegt der Schlüssel für die Garage?')).toBe(true);
    expect(hasLargeNouns('Where does Anna keep the Garage key?')).toBe(false);
    expect(hasLargeNouns('Who is the author of Die Zauberflöte?')).toBe(false);
    expect(hasLargeNouns('Où habite Anna ?')).toBe(false);
  });
});
