/** Widths on a terminal, compared with what Node's own line editor counts. */
import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { displayWidth, padEnd, padStart, truncate } from '../../../../src/surfaces/cli/terminal/width.ts';

const editor = createInterface({
  input: new PassThrough(),
  output: Object.assign(new PassThrough(), { columns: 1000, isTTY: true }),
  terminal: true,
  prompt: '',
}) as Interface & { line: string; cursor: number };

afterAll(() => editor.close());

/** Where Node would put the cursor after the text. */
function widthInEditor(text: string): number {
  Object.assign(editor, { line: text, cursor: text.length });
  return editor.getCursorPos().cols;
}

describe('displayWidth', () => {
  it.each([
    'plain',
    '',
    '简短的回答',
    'ひらがなカタカナ',
    '한국어',
    'ｆｕｌｌ',
    'ﾊﾝｶｸ',
    'naïve café',
    'e\u0301',
    'Привет',
    'مرحبا',
    '🎉🚀',
    '𠮷野家',
    'a\u200bb',
    '“quoted” – dash …',
    '→ ✓ ★',
    '⌚⏰',
  ])('counts %j as Node does', (text) => expect(displayWidth(text)).toBe(widthInEditor(text)));

  it.each([
    // One picture made of several characters, which a modern terminal shows in two columns.
    ['👨‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['䷀', 1],
  ])('counts %j as %i', (text, width) => expect(displayWidth(text)).toBe(width));
});

describe('truncate', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too…'],
    ['too long', 1, '…'],
    ['too long', 0, ''],
    // Half of a wide character is none.
    ['简短的回答', 6, '简短…'],
    ['简短的回答', 5, '简短…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%j to %i', (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
    expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
  });
});

describe('padding', () => {
  it('counts columns, not characters', () => {
    expect(padEnd('偏好', 6)).toBe('偏好  ');
    expect(padStart('偏好', 6)).toBe('  偏好');
    expect(padEnd('toolong', 3)).toBe('toolong');
  });
});
