/** What reads like a line of a conversation, and what does not. */
import { describe, expect, it } from 'vitest';
import { speakerOf } from '../../../src/records/search/lines.ts';

describe('speakerOf', () => {
  it.each([
    ['Anna: Good morning', 'anna'],
    ['user: hello', 'user'],
    ['(3 May, 10:15) Dr. Smith: Please sit down', 'dr. smith'],
    ['[2026-05-03] Assistant: Of course.', 'assistant'],
    ['2026-05-03 10:15 - Anna: On my way', 'anna'],
    ['小明：你好', '小明'],
  ])('%j', (text, speaker) => {
    expect(speakerOf(text)).toBe(speaker);
  });

  it.each([
    'The train leaves at noon',
    'https://example.com/a: b',
    'Please keep the following in mind: no calls on Fridays',
    'Anna:',
    '10:15',
    '',
    '['.repeat(1_000_000),
    '1 '.repeat(500_000),
    'a '.repeat(500_000),
  ])('is not found in %.40j', (text) => {
    expect(speakerOf(text)).toBe(undefined);
  });
});
