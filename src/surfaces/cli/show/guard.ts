/** How the verbs on the guard look to a person, and what they ask. */
import type { Context } from '../context.ts';
import { type Fact, factLines } from '../terminal/facts.ts';
import { oneLine, printable, storedText } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import { padEnd, truncate } from '../terminal/width.ts';
import type { Answer, Presentations, ShowOptions, VerbCall } from './presentation.ts';

function listed(entries: Answer<'guardList'>, { output, clock }: Context, { input }: ShowOptions): void {
  const now = clock.now();
  output.result(entries, {
    text: () =>
      entries.length === 0
        ? 'Nothing is in quarantine.'
        : renderTable(
            {
              rows: entries,
              columns: [
                { title: 'WHEN', cell: (entry) => shortTime(entry.lastAt, now), paint: 'dim' },
                { title: 'AGENT', cell: (entry) => oneLine(entry.agent), max: 24, paint: 'magenta' },
                { title: 'FROM', cell: (entry) => entry.origin },
                { title: 'REASONS', cell: (entry) => entry.reasons.join(', '), max: 36, paint: 'yellow' },
                { title: 'ID', cell: (entry) => entry.id, paint: 'bold' },
              ],
              long: {
                title: 'CONTENT',
                cell: (entry) =>
                  entry.content === null
                    ? `(released as ${oneLine(entry.releasedAs ?? '')})`
                    : oneLine(entry.content),
              },
            },
            output.width,
            output.paint,
          ),
    quiet: () => entries.map(({ id }) => id),
  });
  const limit = (input.limit as number | undefined) ?? 50;
  if (entries.length === limit) output.note(`There may be more: add --after ${entries.at(-1)?.id}`);
}

function whole(entry: Answer<'guardGet'>, { output, clock }: Context): void {
  const { paint } = output;
  const now = clock.now();
  const facts: Fact[] = [
    ['id', paint('bold', entry.id)],
    ['reasons', entry.reasons.join(', ')],
    ['agent', oneLine(entry.agent)],
    ['verb', `${entry.verb}, through ${entry.via}`],
    ['origin', entry.origin],
    ['category', oneLine(entry.category)],
    ['tried', `${counted(entry.times, 'time')}, last ${shortTime(entry.lastAt, now)}`],
    ['session', entry.session === null ? undefined : oneLine(entry.session)],
    [
      'released',
      entry.releasedAt === null
        ? undefined
        : `${shortTime(entry.releasedAt, now)} by ${oneLine(entry.releasedBy ?? '')}, as ${oneLine(entry.releasedAs ?? '')}`,
    ],
  ];
  const text = entry.content ?? '';
  output.result(entry, {
    text: () => [
      entry.content === null ? paint('dim', '(released: its text is in memory)') : printable(text),
      '',
      ...factLines(facts, 10, paint),
    ],
    quiet: () => storedText(text, output),
  });
}

function released(answer: Answer<'guardRelease'>, { output }: Context): void {
  output.result(answer, {
    text: () =>
      `${output.paint('green', '✓')} Stored as ${output.paint('bold', oneLine(answer.releasedAs))}.`,
    quiet: () => answer.releasedAs,
  });
}

function removed(answer: Answer<'guardRemove'>, { output }: Context): void {
  output.result(answer, {
    text: () => `${output.paint('green', '✓')} Removed ${output.paint('bold', answer.id)}.`,
    quiet: () => answer.id,
  });
  if (!answer.pagesErased || !answer.journalErased)
    output.note(
      'Traces may stay on disk while other processes use the database; "keepsake doctor --fix" wipes them.',
    );
}

function scanned(answer: Answer<'guardScan'>, { output }: Context): void {
  const { paint } = output;
  output.result(answer, {
    text: () => [
      answer.allowed
        ? `${paint('green', '✓')} Would be stored (origin ${answer.origin}): score ${answer.score}, limit ${answer.threshold}.`
        : `${paint('red', '✗')} Would be refused (origin ${answer.origin}): score ${answer.score}, limit ${answer.threshold}.`,
      ...answer.findings.map(
        ({ name, reason, weight }) =>
          `  ${paint('yellow', padEnd(String(weight), 5))}${padEnd(reason, 20)}${name}`,
      ),
      ...(answer.secrets.length === 0
        ? []
        : [`  Secrets that would be replaced: ${answer.secrets.join(', ')}`]),
    ],
    quiet: () => (answer.allowed ? 'allowed' : 'refused'),
  });
}

/** Shows what the question is about. An unknown id is reported by the verb. */
async function ask(
  { engine, input }: VerbCall,
  question: (text: string) => string,
): Promise<string | undefined> {
  const entry = await engine.storage.quarantine.get(String(input.id));
  if (entry === null || entry.content === null) return undefined;
  return question(truncate(oneLine(entry.content), 60));
}

export const presentations: Presentations = {
  guardList: { show: listed },
  guardGet: { show: whole },
  guardRelease: {
    confirm: (call) => ask(call, (text) => `Store "${text}" although the guard refused it?`),
    show: released,
  },
  guardRemove: {
    confirm: (call) => ask(call, (text) => `Remove "${text}"? This cannot be undone.`),
    show: removed,
  },
  guardScan: { show: scanned },
};
