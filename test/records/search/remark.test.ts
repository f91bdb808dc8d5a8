/** A question can be about any time, a remark is about what was said lately. */
import { describe, expect, it } from 'vitest';
import { isRemark } from '../../../src/records/search/remark.ts';

describe('isRemark', () => {
  it.each([
    'What is the name of my dog?',
    'where does Anna live',
    'deploy target staging',
    'I am planning a trip to Graz. Which hotel did we like there?',
    'Can you remind me what the doctor said about my knee, the one that I hurt while skiing?',
    '我的狗叫什么名字？',
    '',
    '...',
  ])('%j asks for something', (query) => {
    expect(isRemark(query)).toBe(false);
  });

  it.each([
    'Okay, that worked. Let us go on with the second part.',
    'I have finished the chapter about sorting and would like some exercises now',
    'Good morning! The interview went well. I am tired. What is next?',
    '好的。我们继续下一步吧。',
  ])('%j goes on with a conversation', (query) => {
    expect(isRemark(query)).toBe(true);
  });

  it('reads no more of a long text than its beginning', () => {
    expect(isRemark('?!'.repeat(500_000))).toBe(false);
  });
});
