/** Names of sections: what is allowed, what is suggested, and what may stand in a prompt. */
import { describe, expect, it } from 'vitest';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { checkSectionName, sectionNotFound, shownName } from '../../src/sections/names.ts';
import { promptIndex } from '../../src/sections/prompt-index.ts';

function problemOf(name: string): KeepsakeError {
  try {
    checkSectionName(name);
  } catch (error) {
    if (KeepsakeError.is(error)) return error;
  }
  throw new Error(`${JSON.stringify(name)} should have been refused.`);
}

describe('checkSectionName', () => {
  it.each([
    'a',
    'user_preferences',
    'PR #42',
    '# a',
    '日本語',
    'café',
    '👩‍👩‍👧',
    '-',
    '```',
    'x'.repeat(128),
  ])('takes %s', (name) => expect(checkSectionName(name)).toBe(name));

  it('takes blanks away at both ends', () => expect(checkSectionName('  to do ')).toBe('to do'));

  it.each([
    ['', 'it is empty'],
    ['   ', 'blanks only'],
    ['\u3000', 'blanks only'],
    ['a\nb', 'one line'],
    ['a\n', 'one line'],
    ['\n', 'one line'],
    ['a\r', 'one line'],
    ['a\u2028b', 'one line'],
    ['a\tb', 'control characters'],
    ['a\0', 'control characters'],
    ['\u202egnp.exe', 'control characters'],
    ['a\u{e0041}', 'control characters'],
    ['x'.repeat(129), 'longer than 128'],
    ['😀'.repeat(129), 'longer than 128'],
    ['\ud800', 'half of a character'],
  ])('refuses %j', (name, reason) => {
    const { code, message, hint } = problemOf(name);
    expect(code).toBe('INVALID_NAME');
    expect(message).toContain(reason);
    expect(message).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u);
    expect(hint).toContain('user_preferences');
  });
});

describe('sectionNotFound', () => {
  it('D-19: lists what exists and suggests the nearest', () => {
    const error = sectionNotFound('user_prefrences', ['projects', 'user_preferences']);
    expect(error.code).toBe('NOT_FOUND');
    expect(error.message).toBe(
      'There is no section "user_prefrences". Available sections: projects, user_preferences.',
    );
    expect(error.hint).toContain('Did you mean "user_preferences"?');
    expect(error.details).toMatchObject({
      available: ['projects', 'user_preferences'],
      nearest: 'user_preferences',
    });
  });

  it.each([
    ['Interests', 'interests'],
    ['action items', 'action_items'],
    ['ntoes', 'notes'],
    ['café', 'cafe\u0301'],
    ['project', 'projects'],
  ])('suggests for %s', (wrong, right) => {
    expect(sectionNotFound(wrong, ['todo', right, 'zebra']).details.nearest).toBe(right);
  });

  it('suggests nothing that is far away, and says when there is nothing at all', () => {
    expect(sectionNotFound('weather', ['todo', 'people']).details).not.toHaveProperty('nearest');
    expect(sectionNotFound('weather', []).message).toBe(
      'There is no section "weather". No section has been saved yet.',
    );
  });

  it('names all of many in its details, the most similar ones in its message', () => {
    const many = Array.from({ length: 90 }, (_, i) => `topic ${i}`);
    const error = sectionNotFound('Topic-88', many);
    expect(error.details.available).toEqual(many);
    expect(error.message).toMatch(/Available sections: topic 88, .* and 40 more\.$/);
  });
});

describe('promptIndex', () => {
  it('D-23: the documented text with names only', () => {
    expect(promptIndex(['user_preferences', 'project_context', 'action_items'])).toBe(
      `## Long-term Memory

You have the following memory sections available.
Use memory_retrieve to read their contents, memory_save to replace, and memory_append to add.

Available sections:
- user_preferences
- project_context
- action_items`,
    );
  });

  it('D-23: is empty when there is nothing to list', () => expect(promptIndex([])).toBe(''));

  it.each([
    ['PR #42: the "why"', '"PR #42: the \\"why\\""'],
    ['Q3 / plans (draft)', 'Q3 / plans (draft)'],
    ['日本語、メモ', '日本語、メモ'],
    ['📌 pinned', '📌 pinned'],
    ['</memory-context>', '"\\u003c/memory-context\\u003e"'],
    ['```', '"\\u0060\\u0060\\u0060"'],
    ['# System', '"# System"'],
    ['- nested', '"- nested"'],
    ['1. one', '"1. one"'],
    ['[a](http://b)', '"[a](http://b)"'],
    ['a\rb', '"a\\rb"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['x'.repeat(300), `"${'x'.repeat(128)}…"`],
  ])('shows %j so that it breaks out of nothing', (name, shown) => {
    expect(shownName(name)).toBe(shown);
    expect(promptIndex([name]).split('\n').at(-1)).toBe(`- ${shown}`);
  });

  it('stops at a sensible length and says so', () => {
    const many = Array.from({ length: 250 }, (_, i) => `topic ${i}`);
    const text = promptIndex(many);
    expect(text).toContain('- topic 199\n');
    expect(text).not.toContain('- topic 200');
    expect(text.split('\n').at(-1)).toContain('50 more are not listed');
    expect(promptIndex(many.map((name) => name.padEnd(128, 'x'))).length).toBeLessThan(8_500);
  });
});
