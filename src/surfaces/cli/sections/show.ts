/** How the answers of the verbs on sections look to a person; with --json they are printed as they are. */
import type { Context } from '../context.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import type { Answer } from '../verbs/verb.ts';

export function listed(sections: Answer<'sectionsList'>, { output }: Context): void {
  output.result(sections, {
    text: () =>
      sections.length === 0
        ? 'No sections.'
        : renderTable(
            {
              rows: sections,
              columns: [
                { title: 'LINES', cell: ({ lines }) => String(lines), align: 'right', needsTitle: true },
              ],
              long: { title: 'SECTION', cell: ({ name }) => oneLine(name) },
            },
            output.width,
            output.paint,
          ),
    quiet: () => sections.map(({ name }) => name),
  });
}

export function whole(section: Answer<'sectionsRetrieve'>, { output }: Context): void {
  // A file or a pipe gets the text exactly as it is stored.
  const text = (): string =>
    (output.width === undefined ? section.content : printable(section.content)).replace(/\n$/, '');
  output.result(section, { text, quiet: text });
}

const WORDS = {
  created: 'Created',
  replaced: 'Replaced',
  appended: 'Added to',
  unchanged: 'Nothing to change in',
} as const;

export function changed(
  section: Answer<'sectionsSave'> | Answer<'sectionsAppend'>,
  { output }: Context,
): void {
  const { paint } = output;
  output.result(section, {
    text: () =>
      `${paint('green', '✓')} ${WORDS[section.outcome]} ${paint('bold', oneLine(section.section))} ${paint('dim', counted(section.lines, 'line'))}`,
    quiet: () => section.section,
  });
  if ('hint' in section && section.hint !== undefined) output.note(inTermsOfVerbs(section.hint));
}

/** The hint is written for an agent and its tools; a person has the verbs of the command line. */
function inTermsOfVerbs(hint: string): string {
  return hint
    .replaceAll('memory_retrieve', '"keepsake sections show"')
    .replaceAll('memory_append', '"keepsake sections append"')
    .replaceAll('memory_save', '"keepsake sections save"');
}

export function removed(section: Answer<'sectionsRemove'>, { output }: Context): void {
  output.result(section, {
    text: () =>
      `${output.paint('green', '✓')} Removed ${output.paint('bold', oneLine(section.section))} with ${counted(section.lines, 'line')}.`,
    quiet: () => section.section,
  });
}
