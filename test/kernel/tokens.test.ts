/** The estimate of tokens grows with the text and is free for nothing. */
import { expect, it } from 'vitest';
import { estimateTokens } from '../../src/kernel/tokens.ts';

it('is 0 for nothing, about one for a short word, and grows with the text', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('tea')).toBe(1);
  const [sentence, page] = [
    'She drinks green tea in the morning.',
    'She drinks green tea in the morning. '.repeat(40),
  ];
  expect(estimateTokens(sentence)).toBeGreaterThan(5);
  expect(estimateTokens(sentence)).toBeLessThan(15);
  expect(estimateTokens(page)).toBeGreaterThan(30 * estimateTokens(sentence));
  expect(estimateTokens('私は東京に住んでいます')).toBeGreaterThan(4);
});
