/** Changes one section of a file, and verifies before writing that all others are unchanged. */
import { KeepsakeError } from '../kernel/errors.ts';
import {
  contentOf,
  defuse,
  gapAfter,
  lineBreakOf,
  parseSections,
  type Section,
  type SectionsFile,
  unparse,
  writeBody,
  writeHeader,
} from './format.ts';

/** The file with this section saying exactly this; a section that does not exist is added at the end. */
export function putSection(text: string, name: string, content: string): string {
  const file = parseSections(text);
  const lineBreak = lineBreakOf(text);
  const index = file.sections.findIndex((section) => section.name === name);
  const isLast = index === -1 || index === file.sections.length - 1;
  const body = writeBody(content, { isLast, lineBreak });
  const build = ({ preamble, sections }: SectionsFile): string => {
    if (index === -1) {
      const before = unparse({ preamble, sections });
      return before + gapAfter(before, lineBreak) + writeHeader(name, lineBreak) + body;
    }
    const { header, ...rest } = sections[index]!;
    // The header of the last section may be the very end of the file.
    const ended = header.endsWith('\n') ? header : header + lineBreak;
    return unparse({ preamble, sections: sections.with(index, { ...rest, header: ended, body }) });
  };
  const expected = contentsOf(file);
  if (index === -1) expected.push([name, content]);
  else expected[index] = [name, content];
  return verified(file, build, expected);
}

/** The file without this section. Later ones of the same heading get the number that they were addressed by. */
export function dropSection(text: string, name: string): string {
  const file = parseSections(text);
  const build = ({ preamble, sections }: SectionsFile): string =>
    unparse({ preamble, sections: sections.filter((section) => section.name !== name).map(withOwnName) });
  return verified(
    file,
    build,
    contentsOf(file).filter(([other]) => other !== name),
  );
}

/** Otherwise the name that was removed would find the next section of the same heading. */
function withOwnName(section: Section): Section {
  const { name, heading, header } = section;
  return name === heading ? section : { ...section, header: writeHeader(name, lineBreakOf(header)) };
}

type Contents = [name: string, content: string][];

function contentsOf({ sections }: SectionsFile): Contents {
  return sections.map((section) => [section.name, contentOf(section)]);
}

/**
 * Somebody may have forgotten to close a code fence by hand, and a fence in new text would close it: the sections between
 * would be gone. Only then the forgotten one is escaped, which does not change how its section reads.
 */
function verified(file: SectionsFile, build: (file: SectionsFile) => string, expected: Contents): string {
  const plain = build(file);
  if (reads(plain, expected)) return plain;
  const safe = build(defuse(file));
  if (reads(safe, expected)) return safe;
  throw new KeepsakeError('INTERNAL', 'The change would have altered another section; nothing was written.', {
    hint: 'This is a defect in Keepsake; please report it with the file, if you can share it.',
  });
}

function reads(text: string, expected: Contents): boolean {
  const found = contentsOf(parseSections(text));
  return (
    found.length === expected.length &&
    found.every(([name, content], i) => name === expected[i]![0] && content === expected[i]![1])
  );
}
