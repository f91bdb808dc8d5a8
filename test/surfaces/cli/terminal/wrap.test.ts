/** Lines that fit, whatever the script. */
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../../src/surfaces/cli/terminal/width.ts';
import { wrap, wrapRemark } from '../../../../src/surfaces/cli/terminal/wrap.ts';

describe('wrap', () => {
  it.each([
    ['one two three four', 9, ['one two', 'three', 'four']],
    ['one two', 7, ['one two']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['see abcdefghij', 4, ['see', 'abcd', 'efgh', 'ij']],
    ['  indented text here', 12, ['  indented', 'text here']],
    ['a\n\nb', 10, ['a', '', 'b']],
    ['\tx', 10, ['    x']],
    ['今日は晴れです', 6, ['今日は', '晴れで', 'す']],
    ['ab今日', 5, ['ab今', '日']],
    ['👩‍👩‍👧🎉🎉', 4, ['👩‍👩‍👧🎉', '🎉']],
    ['', 10, ['']],
  ])('%j in %i columns', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  it('leaves lines alone where there is no width', () => {
    const line = 'word '.repeat(100);
    expect(wrap(`${line}\nx\ty`, undefined)).toEqual([line, 'x\ty']);
  });

  it('fits and keeps every word', () => {
    const text = 'Prefers short answers 简短的回答 🎉 and naïve cafés. '.repeat(20).trim();
    for (const width of [2, 7, 13, 40]) {
      const lines = wrap(text, width);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});

describe('wrapRemark', () => {
  it('keeps what stands in quotes together where it fits, and breaks it where it does not', () => {
    expect(wrapRemark('Say "one two three" now', 16)).toEqual(['Say', '"one two three"', 'now']);
    expect(wrapRemark('Say "one two three" now', 8).every((line) => displayWidth(line) <= 8)).toBe(true);
    expect(wrapRemark('Say "one two three" now', undefined)).toEqual(['Say "one two three" now']);
  });
});
