/** How the verbs on sections look to a person, and what they ask. */
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { oneLine, storedText } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import type { Answer, Presentations, VerbCall } from './presentation.ts';

function listed(sections: Answer<'sectionsList'>, { output }: Context): void {
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

function whole(section: Answer<'sectionsGet'>, { output }: Context): void {
  const text = (): string => storedText(section.content, output).replace(/\n$/, '');
  output.result(section, { text, quiet: text });
}

const WORDS = {
  created: 'Created',
  replaced: 'Replaced',
  appended: 'Added to',
  unchanged: 'Nothing to change in',
} as const;

function changed(section: Answer<'sectionsSave'> | Answer<'sectionsAppend'>, { output }: Context): void {
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
    .replaceAll('memory_retrieve', '"keepsake sections get"')
    .replaceAll('memory_append', '"keepsake sections append"')
    .replaceAll('memory_save', '"keepsake sections save"');
}

function removed(section: Answer<'sectionsRemove'>, { output }: Context): void {
  output.result(section, {
    text: () =>
      `${output.paint('green', '✓')} Removed ${output.paint('bold', oneLine(section.section))} with ${counted(section.lines, 'line')}.`,
    quiet: () => section.section,
  });
}

/** Says how much would be lost. A section that does not exist is reported by the verb. */
async function askBeforeRemoving({ engine, caller, input }: VerbCall): Promise<string | undefined> {
  const name = String(input.section);
  const section = (await callVerb(verbs.sectionsList, engine, {}, caller)).find((each) => each.name === name);
  if (section === undefined) return undefined;
  return `Remove ${oneLine(name)} with ${counted(section.lines, 'line')}? This cannot be undone.`;
}

export const presentations: Presentations = {
  sectionsList: { show: listed },
  sectionsGet: { show: whole },
  sectionsSave: { show: changed },
  sectionsAppend: { show: changed },
  sectionsRemove: { confirm: askBeforeRemoving, show: removed },
};
