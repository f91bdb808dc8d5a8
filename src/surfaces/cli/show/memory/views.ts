/** How memories look to a person: in lists, as search results, and in full. */
import type { MemoryRecord } from '../../../../kernel/record.ts';
import type { Context } from '../../context.ts';
import { type Fact, factLines } from '../../terminal/facts.ts';
import { oneLine, printable, storedText } from '../../terminal/printable.ts';
import { shortTime } from '../../terminal/short-time.ts';
import { counted } from '../../terminal/sizes.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { Answer, ShowOptions } from '../presentation.ts';

type Hit = Answer<'memorySearch'>[number];

/** The agent of a memory; a memory about a user that every agent sees has none. */
export const ownerOf = ({ agent, user }: MemoryRecord): string =>
  oneLine(agent === '' && user !== null ? `user ${user}` : agent);

/** Columns that list and search share. The agent is worth a column only where several can appear. */
function columns<Row extends MemoryRecord>(
  rows: readonly Row[],
  now: number,
  agent: string | undefined,
): Column<Row>[] {
  const several = rows.some((row) => row.agent !== agent);
  return [
    { title: 'WHEN', cell: (row) => shortTime(row.updatedAt, now), paint: 'dim' },
    { title: 'CATEGORY', cell: (row) => oneLine(row.category), max: 20, paint: 'cyan' },
    ...(several ? [{ title: 'AGENT', cell: ownerOf, max: 24, paint: 'magenta' as const }] : []),
    { title: 'ID', cell: (row) => row.id, paint: 'bold' },
  ];
}

const content = { title: 'CONTENT', cell: (row: MemoryRecord): string => marked(row) };

/** What is not a live memory says so before its text. */
function marked(row: MemoryRecord): string {
  if (row.state === 'forgotten') return '(forgotten)';
  const text = oneLine(row.content);
  if (row.state === 'expired') return `(expired) ${text}`;
  return row.pinned ? `★ ${text}` : text;
}

export function listed(rows: Answer<'memoryList'>, context: Context, { agent, input }: ShowOptions): void {
  const { output, clock } = context;
  output.result(rows, {
    text: () =>
      rows.length === 0
        ? nothing(isFiltered(input) ? 'No such memories' : 'No memories', agent)
        : renderTable(
            { rows, columns: columns(rows, clock.now(), agent), long: content },
            output.width,
            output.paint,
          ),
    quiet: () => rows.map(({ id }) => id),
  });
  const limit = (input.limit as number | undefined) ?? 50;
  if (rows.length === limit) output.note(`There may be more: add --after ${rows.at(-1)?.id}`);
}

const two = (number: number): string => number.toFixed(2);

export function found(hits: Answer<'memorySearch'>, context: Context, options: ShowOptions): void {
  const { output, clock } = context;
  const scores: Column<Hit>[] = [
    {
      title: 'RELEVANCE',
      cell: (hit) => two(hit.relevance),
      align: 'right',
      paint: 'green',
      needsTitle: true,
    },
    { title: 'SCORE', cell: (hit) => two(hit.score), align: 'right', needsTitle: true },
  ];
  output.result(hits, {
    text: () =>
      hits.length === 0
        ? nothing('Nothing found', options.agent)
        : renderTable(
            {
              rows: hits,
              columns: [...scores, ...columns(hits, clock.now(), options.agent)],
              long: content,
              below: (hit) => (options.options.explain === true ? reasonLines(hit, output) : []),
            },
            output.width,
            output.paint,
          ),
    quiet: () => hits.map(({ id }) => id),
  });
  const { more = 0 } = hits as { readonly more?: number };
  if (more > 0) output.note(`${more} more ${more === 1 ? 'is' : 'are'} less likely to answer it: add --all`);
}

/** Two columns stay free for the indentation. */
function reasonLines({ explain }: Hit, { width, paint }: Context['output']): string[] {
  const lines = wrap(oneLine(explain), width === undefined ? undefined : Math.max(20, width - 2));
  return lines.map((line) => paint('dim', line));
}

function bullets(records: readonly MemoryRecord[]): string[] {
  return records.map((record) => `  • ${oneLine(record.content)}`);
}

function exchange({ thread, title, at, turns }: Answer<'memoryRecall'>['earlier'][number]): string[] {
  const name = title ?? thread;
  const place = `${new Date(at).toISOString().slice(0, 10)}${name === null ? '' : ` · ${oneLine(name)}`}`;
  return [`  ${place}`, ...turns.map(({ role, text }) => `    ${oneLine(role)}: ${oneLine(text)}`)];
}

export function recalled(memory: Answer<'memoryRecall'>, { output }: Context, { agent }: ShowOptions): void {
  const { standing: always, relevant, earlier } = memory;
  output.result(memory, {
    text: () => [
      ...(always.length === 0 ? [] : [output.paint('bold', 'Always'), ...bullets(always)]),
      ...(relevant.length === 0 ? [] : [output.paint('bold', 'For this task'), ...bullets(relevant)]),
      ...(earlier.length === 0
        ? []
        : [output.paint('bold', 'Said in earlier threads'), ...earlier.flatMap(exchange)]),
      ...(always.length + relevant.length + earlier.length === 0
        ? [nothing('Nothing was recalled', agent)]
        : []),
    ],
    quiet: () => [...always, ...relevant].map(({ id }) => id),
  });
}

export function standing(
  memory: Answer<'memoryStanding'>,
  { output }: Context,
  { agent }: ShowOptions,
): void {
  const { memories, leftOut } = memory;
  output.result(memory, {
    text: () =>
      memories.length === 0
        ? nothing('No pinned memory, instruction or preference', agent)
        : bullets(memories),
    quiet: () => memories.map(({ id }) => id),
  });
  if (leftOut > 0) output.note(`No room for ${leftOut} more; raise --max-chars or --limit.`);
}

/** Whether only some of the memories were asked for. */
function isFiltered(input: ShowOptions['input']): boolean {
  return Object.keys(input).some((key) => key !== 'limit');
}

function nothing(what: string, agent: string | undefined): string {
  return agent === undefined ? `${what} in this workspace.` : `${what} for agent ${oneLine(agent)}.`;
}

export function whole(record: Answer<'memoryGet'>, { output, clock }: Context): void {
  const now = clock.now();
  const { paint } = output;
  const time = (at: number): string => `${shortTime(at, now)} ${paint('dim', new Date(at).toISOString())}`;
  const facts: Fact[] = [
    ['id', paint('bold', record.id)],
    ['agent', oneLine(record.agent)],
    ['category', oneLine(record.category)],
    ['scope', record.scope],
    ['source', `${record.source}, written by ${record.origin}`],
    ['confidence', String(record.confidence)],
    ['tags', record.tags.length === 0 ? undefined : record.tags.map(oneLine).join(', ')],
    [
      'metadata',
      Object.keys(record.metadata).length === 0 ? undefined : oneLine(JSON.stringify(record.metadata)),
    ],
    ['thread', record.thread === null ? undefined : oneLine(record.thread)],
    ['pinned', record.pinned ? 'yes' : undefined],
    [
      'state',
      record.state === 'live' ? undefined : [record.state, record.expiryReason].filter(Boolean).join(', '),
    ],
    ['created', time(record.createdAt)],
    ['changed', record.version === 1 ? undefined : `${time(record.updatedAt)}, version ${record.version}`],
    ['holds since', record.validFrom === null ? undefined : time(record.validFrom)],
    ['supersedes', record.supersedes ?? undefined],
    ['superseded', record.supersededBy === null ? undefined : `by ${record.supersededBy}`],
    ['expires', record.expiresAt === null ? undefined : time(record.expiresAt)],
    ['read', counted(record.accessCount, 'time')],
  ];
  output.result(record, {
    text: () => [
      record.state === 'forgotten'
        ? paint('dim', '(forgotten: its content is gone)')
        : printable(record.content),
      '',
      ...factLines(facts, 12, paint),
    ],
    quiet: () => storedText(record.content, output),
  });
}

export function versions(history: Answer<'memoryHistory'>, { output, clock }: Context): void {
  const now = clock.now();
  type Version = (typeof history)[number];
  const columnsOfVersions: Column<Version>[] = [
    {
      title: 'VERSION',
      cell: ({ version }) => String(version),
      align: 'right',
      paint: 'bold',
      needsTitle: true,
    },
    { title: 'CHANGE', cell: ({ change }) => change, paint: 'cyan' },
    { title: 'BY', cell: ({ changedBy }) => oneLine(changedBy), max: 24, paint: 'magenta' },
    { title: 'WHEN', cell: ({ changedAt }) => shortTime(changedAt, now), paint: 'dim' },
    { title: 'CATEGORY', cell: ({ category }) => oneLine(category), max: 20 },
  ];
  output.result(history, {
    text: () =>
      renderTable(
        {
          rows: history,
          columns: columnsOfVersions,
          long: { title: 'CONTENT', cell: (each) => oneLine(each.content) },
        },
        output.width,
        output.paint,
      ),
    quiet: () => history.map(({ version }) => String(version)),
  });
}

export function profile(answer: Answer<'memoryProfile'>, { output }: Context): void {
  output.result(answer, {
    text: () => (answer.text === '' ? 'Nothing is known about this user.' : printable(answer.text)),
    quiet: () => answer.ids,
  });
  if (answer.leftOut > 0)
    output.note(`${counted(answer.leftOut, 'memory', 'memories')} did not fit; raise --max-chars.`);
}

export function forPrompt(answer: Answer<'memoryContext'>, { output }: Context): void {
  output.result(answer, {
    text: () => (answer.text === '' ? 'Nothing is relevant to this task.' : printable(answer.text)),
    quiet: () => answer.ids,
  });
}
