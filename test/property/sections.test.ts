/** Generated Markdown, contents and names: a sections file loses nothing, forges nothing, and reads back what was saved. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import { dropSection, putSection } from '../../src/sections/edit.ts';
import { contentOf, countLines, parseSections, unparse } from '../../src/sections/format.ts';
import { checkSectionName, shownName } from '../../src/sections/names.ts';
import { campaign } from '../fixtures/campaign.ts';
import { asAgent, makeService } from '../sections/fixture.ts';

const seed = Number(process.env.KEEPSAKE_SEED ?? Date.now() % 2 ** 31);
console.log(`sections: KEEPSAKE_SEED=${seed}`);
/** All of so many cases in a campaign, a quarter of them otherwise. */
const options = (numRuns: number) => ({
  seed,
  numRuns: Math.ceil(campaign(numRuns / 4, numRuns)),
  endOnFailure: false,
});

/** Lines that mean something to us, to Markdown or to nobody. */
const line = fc.oneof(
  fc.constantFrom(
    '# a',
    '# a',
    '# b',
    '# a (2)',
    '#  b  ',
    '#\ta',
    '# a ##',
    '#',
    '# ',
    '#\u00a0',
    '#a',
    ' # a',
    '## a',
    '\\# a',
    '\\\\# a',
    '\\#',
    '```',
    '````',
    '```js',
    '``` a`b',
    '``',
    ' ```',
    '   ```  ',
    '    ```',
    '\\```',
    '  \\\\```',
    '~~~',
    '~~~~ x',
    '~~~ a`b',
    '\\~~~',
    '<!--',
    '<!-- # a -->',
    '<!-- note',
    '-->',
    'text -->',
    '<!-->',
    '\\<!--',
    'Setext',
    '====',
    '---',
    '- item',
    '  - nested',
    '1. one',
    '> # quoted',
    '    # indented',
    '| a | b |',
    '***',
    '<div>',
    '[a]: #b',
    'text  ',
    '',
    '',
    ' ',
    '\ufeff',
    '\ufeff# a',
    '\ufeff```',
    '\ufeff<!--',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('\\', '#', ' ', '`', '~', '\r', '\t', 'a', '<', '!', '-', '>', '\u2028', '\0'),
    maxLength: 12,
  }),
);
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\r', '\n\n\n');
const markdown = fc
  .tuple(fc.array(fc.tuple(line, lineEnd), { maxLength: 14 }), line)
  .map(([pairs, last]) => pairs.map(([text, end]) => text + end).join('') + last)
  .filter((text) => text.isWellFormed());
const name = fc
  .oneof(
    fc.constantFrom('a', 'b', 'A', 'a (2)', '# a', '```', '\\', '<!--', '-->', 'ä b', '- x', 'a ##', '</x>'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  )
  .filter((text) => {
    try {
      return checkSectionName(text) === text;
    } catch {
      return false;
    }
  });

const read = (text: string): [string, string][] =>
  parseSections(text).sections.map((section) => [section.name, contentOf(section)]);

describe('the format', () => {
  it('D-21: parse ∘ write = identity for any Markdown, and every name is there once', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const file = parseSections(text);
        expect(unparse(file)).toBe(text);
        const names = file.sections.map((section) => section.name);
        expect(new Set(names).size).toBe(names.length);
      }),
      options(20_000),
    );
  });

  it('D-21: reads headers where a reader of CommonMark does, unless a block has no end', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const headings = parseSections(text).sections.map(({ heading }) => heading);
        expect(headings).toEqual(slowHeadings(text));
      }),
      options(20_000),
    );
  });

  it('D-16: what is saved into any file is read back exactly, and all other sections read as before', () => {
    fc.assert(
      fc.property(markdown, name, markdown, (text, section, content) => {
        const before = read(text);
        const saved = putSection(text, section, content);
        const expected: [string, string][] = before.some(([other]) => other === section)
          ? before.map(([other, old]) => [other, other === section ? content : old])
          : [...before, [section, content]];
        expect(read(saved)).toEqual(expected);
        // Saving what is there changes nothing more.
        expect(read(putSection(saved, section, content))).toEqual(expected);
      }),
      options(20_000),
    );
  });

  it('keeps the text before the first header, whatever is saved', () => {
    fc.assert(
      fc.property(markdown, name, markdown, (text, section, content) => {
        const { preamble } = parseSections(text);
        const saved = putSection(text, section, content);
        // Only an unfinished block may get a backslash, and only when it would have swallowed something.
        expect(withoutBackslashes(saved).startsWith(withoutBackslashes(preamble))).toBe(true);
      }),
      options(5_000),
    );
  });

  it('removes one section and leaves all others as they read', () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, pick) => {
        const before = read(text);
        fc.pre(before.length > 0);
        const [gone] = before[pick % before.length]!;
        expect(read(dropSection(text, gone))).toEqual(before.filter(([other]) => other !== gone));
      }),
      options(10_000),
    );
  });

  it('is fast however the blocks are nested', () => {
    for (const unit of [
      '```a\n',
      '~~~\n# a\n',
      '<!--\n',
      '\\',
      '`',
      '# a\n',
      '\\# a\n',
      '```   ',
      '   \n',
      '-->\n<!--',
    ]) {
      const text = `${unit.repeat(50_000)}\n${'`'.repeat(100_000)}${' '.repeat(100_000)}x\n`;
      expect(unparse(parseSections(text))).toBe(text);
    }
    const shrinking = Array.from({ length: 600 }, (_, i) => `${'`'.repeat(603 - i)}x\n`).join('');
    expect(unparse(parseSections(shrinking))).toBe(shrinking);
  });
});

describe('names', () => {
  it('D-23: what the index shows is one line without markup, and stands for one name only', () => {
    const any = fc.string({ unit: 'binary', maxLength: 100 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(fc.oneof(name, any), (text) => {
        const shown = shownName(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}<>`]/u);
        // Copied into the JSON of a tool call, it is the name again.
        const copied = shown.startsWith('"') ? JSON.parse(shown) : JSON.parse(`"${shown}"`);
        expect(copied).toBe(text);
      }),
      options(3_000),
    );
  });
});

describe('the service', () => {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-sections-'));
  const lock = sqliteFileLock();
  afterAll(async () => {
    await lock.close();
    rmSync(root, { recursive: true, force: true });
  });
  let agents = 0;

  it('D-16 D-17 D-19: does what a Map would do, through any order of verbs', async () => {
    const verb = fc.oneof(
      fc.record({ verb: fc.constant('save' as const), section: name, content: markdown }),
      fc.record({ verb: fc.constant('append' as const), section: name, content: markdown }),
      fc.record({ verb: fc.constant('remove' as const), section: name }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(verb, { maxLength: 12 }), async (verbs) => {
        const service = makeService({ root, lock });
        const caller = asAgent(`model-${agents++}`);
        const model = new Map<string, string>();
        for (const step of verbs) {
          const { section } = step;
          const present = model.get(section);
          if (step.verb === 'save') {
            await service.save({ section, content: step.content }, caller);
            model.set(section, step.content);
          } else if (step.verb === 'append') {
            const { lines, hint } = await service.append({ section, content: step.content }, caller);
            const together = glued(present ?? '', step.content);
            model.set(section, together);
            expect(lines).toBe(countLines(together));
            expect(hint !== undefined).toBe(lines > 50);
          } else {
            const removed = await service.remove({ section }, caller).then(
              () => true,
              () => false,
            );
            expect(removed).toBe(present !== undefined);
            model.delete(section);
          }
          const listed = await service.list(caller);
          expect(listed.map((entry) => entry.name)).toEqual([...model.keys()]);
          for (const [known, content] of model)
            expect((await service.get({ section: known }, caller)).content).toBe(content);
        }
      }),
      options(150),
    );
  });
});

function withoutBackslashes(text: string): string {
  return text.replaceAll('\\', '');
}

/** The rule of `append` once more: on a line of its own, in the way in which the section breaks its lines. */
function glued(present: string, added: string): string {
  if (present === '' || present.at(-1) === '\n' || added === '') return `${present}${added}`;
  return `${present}${/\r\n/.test(present) ? '\r\n' : '\n'}${added}`;
}

/** The rules of the format, written down again as slowly and plainly as possible. */
function slowHeadings(text: string): string[] {
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n');
  const headings: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const rest = lines.slice(at + 1);
    const current = lines[at]!;
    const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})[\s\S]*)$/.exec(current);
    const sign = fence?.[1] ?? fence?.[2];
    if (sign !== undefined) {
      const end = rest.findIndex((other) => {
        const closing = other.trim();
        const isIndented = /^ {0,3}[`~]/.test(other);
        const isBare = /^[ \t\r]*$/.test(other.replace(/^ {0,3}[`~]*/, ''));
        const isRun = [...closing].every((character) => character === sign[0]);
        return isIndented && isBare && isRun && closing.length >= sign.length;
      });
      if (end !== -1) at += end + 1;
      continue;
    }
    if (/^ {0,3}<!--/.test(current)) {
      const sameLine = current.slice(current.indexOf('<!--') + 2).includes('-->');
      const end = rest.findIndex((other) => other.includes('-->'));
      if (!sameLine && end !== -1) at += end + 1;
      continue;
    }
    const heading = /^#[ \t]([\s\S]*)$/.exec(current)?.[1]?.trim();
    if (heading !== undefined && heading !== '') headings.push(heading);
  }
  return headings;
}
