/** Stored text cannot take over a terminal. */
import { describe, expect, it } from 'vitest';
import { escapeDriving, oneLine, printable } from '../../../../src/surfaces/cli/terminal/printable.ts';

describe('printable', () => {
  it.each([
    ['\u001b[2J\u001b[31mred', '␛[2J␛[31mred'],
    ['bell\u0007 null\u0000 delete\u007f', 'bell␇ null␀ delete␡'],
    ['C1 \u009b31m', 'C1 \ufffd31m'],
    ['line\r\nbreak\rreturn', 'line\nbreak\nreturn'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['偏好 🎉 naïve', '偏好 🎉 naïve'],
  ])('%j', (text, expected) => expect(printable(text)).toBe(expected));
});

describe('oneLine', () => {
  it('joins lines and blanks', () => {
    expect(oneLine('  a\n\n  b\tc\u001b\u2028d ')).toBe('a b c␛\ufffdd');
  });
});

it('JSON for a terminal says the same without characters that drive it', () => {
  const value = { content: 'a\u009b31m\u202eb\u001b[2J\u2028' };
  const json = escapeDriving(JSON.stringify(value));
  expect(json).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(json)).toEqual(value);
});
