/** How the verbs on archives look to a person, and what they ask. */
import type { Context } from '../context.ts';
import { oneLine, printable, storedText } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { renderTable } from '../terminal/table.ts';
import type { Answer, Presentations, ShowOptions } from './presentation.ts';

function listed(archives: Answer<'archiveList'>, { output, clock }: Context): void {
  const time = (at: number | null): string => (at === null ? '-' : shortTime(at, clock.now()));
  output.result(archives, {
    text: () =>
      archives.length === 0
        ? 'No archives. Compacting a conversation makes one.'
        : renderTable(
            {
              rows: archives,
              columns: [
                { title: 'FROM', cell: ({ firstAt }) => time(firstAt), paint: 'dim' },
                { title: 'TO', cell: ({ lastAt }) => time(lastAt), paint: 'dim' },
                {
                  title: 'MESSAGES',
                  cell: ({ messages }) => String(messages),
                  align: 'right',
                  needsTitle: true,
                },
                {
                  title: 'CHARACTERS',
                  cell: ({ characters }) => String(characters),
                  align: 'right',
                  needsTitle: true,
                },
              ],
              long: { title: 'NAME', cell: ({ name }) => name },
            },
            output.width,
            output.paint,
          ),
    quiet: () => archives.map(({ name }) => name),
  });
}

function whole(archive: Answer<'archiveGet'>, { output }: Context): void {
  const text = (): string => storedText(archive.text, output).replace(/\n$/, '');
  output.result(archive, { text, quiet: text });
}

function found(hits: Answer<'archiveSearch'>, { output, clock }: Context): void {
  output.result(hits, {
    text: () =>
      hits.length === 0
        ? 'Nothing found in the archives.'
        : renderTable(
            {
              rows: hits,
              columns: [
                { title: 'WHEN', cell: ({ message }) => shortTime(message.at, clock.now()), paint: 'dim' },
                { title: 'ROLE', cell: ({ message }) => oneLine(message.role), max: 20, paint: 'magenta' },
                { title: 'ARCHIVE', cell: ({ archive }) => archive, paint: 'bold' },
              ],
              long: { title: 'EXCERPT', cell: ({ excerpt }) => oneLine(excerpt.text) },
            },
            output.width,
            output.paint,
          ),
    quiet: () => [...new Set(hits.map(({ archive }) => archive))],
  });
}

function compared(lines: Answer<'archiveDiff'>, { output }: Context): void {
  const text = (): string[] =>
    lines.map((line) => output.paint(line.startsWith('+') ? 'green' : 'red', printable(line)));
  output.result(lines, { text: () => (lines.length === 0 ? 'No difference.' : text()), quiet: text });
}

function restored(result: Answer<'archiveRestore'>, { output }: Context, { input }: ShowOptions): void {
  output.result(result, {
    text: () => [
      `${output.paint('green', '✓')} ${output.paint('bold', String(input.name))} is the active MEMORY.md again.`,
      result.archive === null
        ? '  There was nothing to archive before.'
        : `  What was active before is kept as ${result.archive}`,
    ],
    quiet: () => result.archive ?? [],
  });
}

export const presentations: Presentations = {
  archiveList: { show: listed },
  archiveGet: { show: whole },
  archiveSearch: { show: found },
  archiveDiff: { show: compared },
  archiveRestore: {
    confirm: async ({ input, caller }) =>
      `Make ${oneLine(String(input.name))} the active MEMORY.md of ${caller.viewer.agent} again? What is active now is archived first.`,
    show: restored,
  },
};
