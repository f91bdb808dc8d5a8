/** What counts as said, and what does not. */
import { describe, expect, it } from 'vitest';
import { SaidAlready } from '../../src/context/said-already.ts';

function said(...texts: readonly string[]): SaidAlready {
  const all = new SaidAlready();
  for (const text of texts) all.add(text);
  return all;
}

describe('said already', () => {
  it.each([
    ['The boiler is in the cellar.', 'the boiler  is in the cellar'],
    ['Yes. The boiler is in the cellar! Why?', 'The boiler is in the cellar.'],
    ['- The boiler is in the cellar\n- more', 'The boiler is in the cellar'],
    ['"The boiler is in the cellar."', 'The boiler is in the cellar.'],
    ['It is blue. It is old. It hums.', 'It is old. It is blue.'],
  ])('%j says %j', (text, memory) => {
    expect(said('Hello.', text).says(memory)).toBe(true);
  });

  it.each([
    ['It is not true that the boiler is in the cellar.', 'The boiler is in the cellar.'],
    ['The boiler is in the cellar of the neighbour.', 'The boiler is in the cellar'],
    ['The old boiler is red.', 'boiler is red'],
    ['It is blue.', 'It is blue. It is old.'],
    ['', 'It is blue.'],
    ['Anything', ' … '],
  ])('%j does not say %j', (text, memory) => {
    expect(said(text).says(memory)).toBe(false);
  });

  it('hears what is added later', () => {
    const all = said('One thing.');
    expect(all.says('Another thing')).toBe(false);
    all.add('Another thing.');
    expect(all.says('Another thing')).toBe(true);
  });
});
