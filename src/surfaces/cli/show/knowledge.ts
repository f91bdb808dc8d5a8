/** How the verbs on documents look to a person. */
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted } from '../terminal/sizes.ts';
import { truncate } from '../terminal/width.ts';
import { indexing } from './knowledge/indexing.ts';
import { askBeforeRemoving, removing } from './knowledge/removing.ts';
import type { Answer, Presentations, ShowOptions } from './presentation.ts';

/** More are counted only; with --json all are there. */
const MAX_SKIPPED = 10;
const MAX_FILES = 20;
/** Lines of a passage that are worth reading on a terminal. */
const PASSAGE_LINES = 6;

export function indexed(report: Answer<'knowledgeAdd'>, { output }: Context): void {
  const { files, added, updated, removed, skipped } = report;
  const parts = [
    added > 0 ? `${counted(added, 'chunk')} added` : '',
    updated > 0 ? `${counted(updated, 'chunk')} updated` : '',
    removed > 0 ? `${counted(removed, 'chunk')} erased` : '',
  ].filter((part) => part !== '');
  output.result(report, {
    text: () =>
      `${output.paint('green', '✓')} ${counted(files, 'file')}: ${parts.length === 0 ? 'nothing has changed' : parts.join(', ')}.`,
  });
  for (const { path, reason } of skipped.slice(0, MAX_SKIPPED)) {
    output.note(`skipped ${oneLine(path)}: ${oneLine(reason)}`);
  }
  if (skipped.length > MAX_SKIPPED) {
    output.note(`… and ${skipped.length - MAX_SKIPPED} more; --json lists them all.`);
  }
}

function stored(answer: Answer<'knowledgeStore'>, { output }: Context): void {
  const { id, chunks } = answer;
  output.result(answer, {
    text: () =>
      `${output.paint('green', '✓')} Stored as ${output.paint('bold', id)}, ${counted(chunks, 'chunk')}.`,
    quiet: () => id,
  });
}

function removed(answer: Answer<'knowledgeRemove'>, { output }: Context): void {
  const { files, removed: chunks } = answer;
  output.result(answer, {
    text: () =>
      `${output.paint('green', '✓')} Erased ${counted(chunks, 'chunk')} of ${counted(files, 'file')}.`,
  });
}

function listed(roots: Answer<'knowledgeList'>, { output, clock }: Context): void {
  const now = clock.now();
  const { paint } = output;
  output.result(roots, {
    text: () =>
      roots.length === 0
        ? 'No documents were added.'
        : roots.flatMap(({ agent, root, scope, chunks, files }) => [
            `${paint('bold', oneLine(root))} ${paint('dim', `${oneLine(agent)}${scope === 'swarm' ? ', shared' : ''} · ${counted(files.length, 'file')}, ${counted(chunks, 'chunk')}`)}`,
            ...files
              .slice(0, MAX_FILES)
              .map(
                (file) =>
                  `  ${oneLine(file.path)}  ${paint('dim', `${counted(file.chunks, 'chunk')}, ${shortTime(file.updatedAt, now)}`)}`,
              ),
            ...(files.length > MAX_FILES ? [paint('dim', `  … and ${files.length - MAX_FILES} more`)] : []),
          ]),
    quiet: () => roots.flatMap(({ files }) => files.map(({ path }) => path)),
  });
}

function found(hits: Answer<'knowledgeSearch'>, context: Context, { options }: ShowOptions): void {
  const { output } = context;
  const { paint } = output;
  output.result(hits, {
    text: () =>
      hits.length === 0
        ? 'Nothing found.'
        : hits.flatMap((hit, i) => [
            ...(i === 0 ? [] : ['']),
            `${paint('green', hit.relevance.toFixed(2))}  ${paint('bold', oneLine(hit.citation))}${heading(hit.metadata.heading, paint)}`,
            ...passage(hit.content, output.width),
            ...(hit.also.length === 0 ? [] : [paint('dim', `  also ${oneLine(hit.also.join(', '))}`)]),
            ...(options.explain === true ? [paint('dim', `  ${oneLine(hit.explain)}`)] : []),
          ]),
    quiet: () => hits.map(({ citation }) => citation),
  });
}

function heading(value: unknown, paint: Context['output']['paint']): string {
  return typeof value === 'string' ? `  ${paint('dim', oneLine(value))}` : '';
}

/** The beginning of a passage; whole when it goes into a file or a pipe. */
function passage(content: string, width: number | undefined): string[] {
  const lines = printable(content).trim().split('\n');
  if (width === undefined) return lines.map((line) => `  ${line}`.trimEnd());
  const shown = lines.slice(0, PASSAGE_LINES).map((line) => `  ${truncate(line, width - 2)}`);
  return lines.length > PASSAGE_LINES ? [...shown, '  …'] : shown;
}

export const presentations: Presentations = {
  knowledgeAdd: { run: indexing('Indexing', verbs.knowledgeAdd), show: indexed },
  knowledgeSearch: {
    ownFlags: [{ flags: '--explain', description: 'Explain the rank of each passage' }],
    show: found,
  },
  knowledgeList: { show: listed },
  knowledgeRefresh: { run: indexing('Refreshing', verbs.knowledgeRefresh), show: indexed },
  knowledgeRemove: {
    ownFlags: [{ flags: '--all-agents', description: 'Also when it is known to more than one agent' }],
    confirm: askBeforeRemoving,
    run: removing,
    show: removed,
  },
  knowledgeStore: { show: stored },
};
