/** The stemmer against the examples that its author published. */
import { describe, expect, it } from 'vitest';
import { stem } from '../../src/kernel/stem.ts';

/** Word and stem after all steps, from the tables of Porter's paper of 1980. */
const PUBLISHED =
  `caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, plastered plaster,
  bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan,
  falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat,
  conditional condit, rational ration, valenci valenc, hesitanci hesit, digitizer digit, conformabli conform,
  radicalli radic, differentli differ, vileli vile, analogousli analog, vietnamization vietnam, predication predic,
  operator oper, feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formaliti formal,
  sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, formalize formal, electriciti electr,
  electrical electr, hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin,
  gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust,
  dependent depend, adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular,
  homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control,
  roll roll, generalizations gener, oscillators oscil`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]);

describe('the stemmer', () => {
  it.each(PUBLISHED)('%s → %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it.each([
    ['prefer', 'prefers', 'preferred', 'preferring'],
    ['connect', 'connected', 'connecting', 'connection', 'connections'],
    ['run', 'runs', 'running'],
    ['deploy', 'deploys', 'deployed', 'deploying'],
  ])('forms of one word meet: %s', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each([
    ['universe', 'unit'],
    ['policy', 'polite'],
    ['port', 'sport'],
  ])('different words stay apart: %s and %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  it.each(['', 'a', 'is', 'by', 'v2', 'naïve', 'ÜBER', 'Running', '東京', "don't", '123', 's', 'ss', 'ing'])(
    'leaves %j as it is',
    (word) => {
      expect(stem(word)).toBe(word);
    },
  );
});
