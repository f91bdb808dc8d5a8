/** The format of a sections file, by example; test/property/sections.test.ts proves it in general. */
import { describe, expect, it } from 'vitest';
import { dropSection, putSection } from '../../src/sections/edit.ts';
import { contentOf, countLines, parseSections, unparse } from '../../src/sections/format.ts';

const read = (text: string): Record<string, string> =>
  Object.fromEntries(parseSections(text).sections.map((section) => [section.name, contentOf(section)]));

/** The example of the document, as a person would write it. */
const EXAMPLE = `# user_preferences
Prefers concise responses. Uses dark mode. Timezone: UTC-3.

# project_context
Working on the "Atlas" project — a data pipeline for ETL processing.
Deadline: 2026-04-15.

# action_items
- Review PR #42 for the new transformer module
- Write tests for the date parser
`;

describe('parseSections', () => {
  it('D-21: one section per `# NAME` line', () => {
    expect(read(EXAMPLE)).toEqual({
      user_preferences: 'Prefers concise responses. Uses dark mode. Timezone: UTC-3.',
      project_context:
        'Working on the "Atlas" project — a data pipeline for ETL processing.\nDeadline: 2026-04-15.',
      action_items: '- Review PR #42 for the new transformer module\n- Write tests for the date parser',
    });
  });

  it.each([
    ['level two', '# a\n## b\n', ['a']],
    ['indented', '# a\n # b\n', ['a']],
    ['no blank', '# a\n#b\n', ['a']],
    ['no name', '# a\n# \n#\n#\t\n', ['a']],
    ['quoted', '# a\n> # b\n', ['a']],
    ['setext', '# a\nb\n=\n', ['a']],
    ['a tab', '#\ta\n', ['a']],
    ['blanks around', '#   a  \n', ['a']],
    ['closing hashes, which are part of the name', '# C #\n', ['C #']],
    ['at the very end', 'x\n# a', ['a']],
    ['after a byte order mark', '\ufeff# a\n', ['a']],
    ['CRLF', '# a\r\nx\r\n# b\r\n', ['a', 'b']],
    ['no text at all', '', []],
  ])('%s', (_, text, names) => {
    expect(Object.keys(read(text))).toEqual(names);
    expect(unparse(parseSections(text))).toBe(text);
  });

  it.each([
    ['backticks', '# a\n```\n# x\n```\n# b\n', ['a', 'b']],
    ['tildes', '# a\n~~~\n# x\n~~~\n# b\n', ['a', 'b']],
    ['an info string', '# a\n```sh\n# x\n```\n# b\n', ['a', 'b']],
    ['a longer end', '# a\n```\n# x\n`````\n# b\n', ['a', 'b']],
    ['a shorter line, which is no end', '# a\n````\n# x\n```\n# y\n````\n# b\n', ['a', 'b']],
    ['the other kind, which is no end', '# a\n~~~\n```\n# x\n~~~\n# b\n', ['a', 'b']],
    ['an end with words, which is none', '# a\n```\n``` x\n# x\n```\n# b\n', ['a', 'b']],
    ['indented up to three', '# a\n   ```\n# x\n  ```\n# b\n', ['a', 'b']],
    ['indented by four, which is no fence', '# a\n    ```\n# b\n    ```\n', ['a', 'b']],
    ['inline code, which is no fence', '# a\n``` x`y\n# b\n```\n# c\n', ['a', 'b', 'c']],
    ['CRLF', '# a\r\n```\r\n# x\r\n```\r\n# b\r\n', ['a', 'b']],
    ['before the first header', '```\n# x\n```\n# a\n', ['a']],
    ['after a longer fence that is never closed', '# a\n````\n```\n# x\n```\n# b\n', ['a', 'b']],
  ])('a `# ` line inside a code fence does not split: %s', (_, text, names) => {
    expect(Object.keys(read(text))).toEqual(names);
  });

  it('a `# ` line inside a comment does not split', () => {
    expect(Object.keys(read('# a\n<!--\n# x\n-->\n# b\n<!-- one line -->\n# c\n'))).toEqual(['a', 'b', 'c']);
  });

  it('a block that nobody closed hides no section', () => {
    const text = '# a\n```sh\nls\n\n# b\nkept\n\n<!-- \n# c\n~~~\n# d\n';
    expect(Object.keys(read(text))).toEqual(['a', 'b', 'c', 'd']);
    expect(read(text)).toMatchObject({ a: '```sh\nls', b: 'kept\n\n<!-- ', c: '~~~' });
  });

  it('duplicate headers are numbered, so that each can be reached', () => {
    const text = '# a\n1\n# a\n2\n# a (2)\n3\n# a\n4\n';
    expect(read(text)).toEqual({ a: '1', 'a (3)': '2', 'a (2)': '3', 'a (4)': '4' });
  });
});

describe('putSection', () => {
  it('D-16: replaces the entire section and nothing else', () => {
    const saved = putSection(EXAMPLE, 'project_context', 'Working on "Hermes".');
    expect(saved).toBe(EXAMPLE.replace(/Working on the "Atlas"[\s\S]*04-15\./, 'Working on "Hermes".'));
  });

  it('D-21: adds a new section at the end, with a blank line before it', () => {
    expect(putSection('', 'a', 'one')).toBe('# a\none\n');
    expect(putSection('# a\none\n', 'b', 'two')).toBe('# a\none\n\n# b\ntwo\n');
    expect(putSection('# a\none', 'b', 'two')).toBe('# a\none\n\n# b\ntwo\n');
    expect(putSection('# a', 'b', 'two')).toBe('# a\n\n# b\ntwo\n');
  });

  it('keeps the text before the first header', () => {
    expect(putSection('Notes of mine.\n\n# a\none\n', 'a', 'two')).toBe('Notes of mine.\n\n# a\ntwo\n');
    expect(putSection('Notes of mine.', 'a', 'one')).toBe('Notes of mine.\n\n# a\none\n');
    expect(putSection('\ufeff', 'a', 'one')).toBe('\ufeff# a\none\n');
  });

  it('keeps indentation, blank lines at both ends, comments and every kind of line ending', () => {
    const content = '\n    indented\n\t- tab\n<!-- why -->\n\r\nmixed\r\n\n\n';
    for (const text of ['', '# z\nlast\n', '# a\nold\n\n# z\nlast\n', '# a\r\nold\r\n']) {
      expect(read(putSection(text, 'a', content)).a).toBe(content);
    }
  });

  it('gives a CRLF file CRLF headers and leaves the content as it was given', () => {
    expect(putSection('# a\r\none\r\n', 'b', 'two\nlines')).toBe('# a\r\none\r\n\r\n# b\r\ntwo\nlines\r\n');
  });

  it.each([
    ['# forged', '\\# forged'],
    ['x\n# forged\ny', 'x\n\\# forged\ny'],
    ['\\# escaped', '\\\\# escaped'],
    ['## two\n#hash\n #', '## two\n#hash\n #'],
    ['```\n# code\n```', '```\n# code\n```'],
    ['```\n# cut off', '\\```\n\\# cut off'],
    ['  ~~~ x', '  \\~~~ x'],
    ['<!-- cut off', '\\<!-- cut off'],
    ['<!-- whole -->', '<!-- whole -->'],
    ['\\```', '\\\\```'],
  ])('escapes what would forge or swallow a section, and only that: %j', (content, written) => {
    const text = putSection('# z\nlast\n', 'a', content);
    expect(text).toBe(`# z\nlast\n\n# a\n${written}\n`);
    expect(read(text)).toEqual({ z: 'last', a: content });
  });

  it('saves into the first of two equal headers and keeps what the other says', () => {
    const text = putSection('# a\n1\n\n# a\n2\n', 'a', 'new');
    expect(text).toBe('# a\nnew\n\n# a\n2\n');
    expect(read(putSection(text, 'a (2)', 'newer'))).toEqual({ a: 'new', 'a (2)': 'newer' });
  });

  it('escapes a fence that somebody forgot to close when new text would close it', () => {
    const text = '\ufeff```\nby hand\n\n# a\n~~~\n<!--\n\n# b\nkept\n';
    const content = '```\n# code\n```\n~~~\n-->';
    const saved = putSection(text, 'c', content);
    expect(read(saved)).toEqual({ a: '~~~\n<!--', b: 'kept', c: content });
    expect(saved.startsWith('\ufeff\\```\nby hand\n\n# a\n\\~~~\n\\<!--\n\n# b\nkept\n\n# c\n')).toBe(true);
    // Harmless text leaves it alone.
    expect(putSection(text, 'c', 'words').startsWith(text)).toBe(true);
  });
});

describe('dropSection', () => {
  it('takes header and body away', () => {
    expect(dropSection('top\n# a\n1\n\n# b\n2\n', 'a')).toBe('top\n# b\n2\n');
    expect(dropSection('# a\n1\n', 'a')).toBe('');
  });

  it('does not let another section move into the name', () => {
    expect(dropSection('# a\n1\n# a\n2\n', 'a')).toBe('# a (2)\n2\n');
    expect(dropSection('# a\r\n1\r\n# a (2)\r\n2\r\n# a\r\n3', 'a (2)')).toBe('# a\r\n1\r\n# a (3)\r\n3');
  });
});

describe('countLines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['a\n\n', 2],
  ])('%j has %i', (text, lines) => expect(countLines(text)).toBe(lines));
});
