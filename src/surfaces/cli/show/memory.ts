/** How the verbs on memories look to a person, and what they ask. */
import type { MemoryRecord } from '../../../kernel/record.ts';
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { someoneIsThere } from '../terminal/confirm.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted } from '../terminal/sizes.ts';
import { truncate } from '../terminal/width.ts';
import * as views from './memory/views.ts';
import type { Answer, Presentations, ShowOptions, VerbCall } from './presentation.ts';

function notePruned(pruned: readonly string[], { output }: Context): void {
  if (pruned.length === 0) return;
  output.note(
    `The cap (memory.maxEntries) is reached: ${counted(pruned.length, 'memory', 'memories')} left search and can still be read by id: ${pruned.join(', ')}`,
  );
}

/** What the guard put in the place of secrets is counted; what was typed like that is not. */
function noteSecrets(content: string, input: ShowOptions['input'], { output }: Context): void {
  const marks = (text: unknown) => String(text ?? '').match(/\[redacted: [\w-]+\]/g)?.length ?? 0;
  const replaced = marks(content) - marks(input.content);
  if (input.content === undefined || replaced <= 0) return;
  output.note(`${counted(replaced, 'secret')} ${replaced === 1 ? 'was' : 'were'} replaced and not stored.`);
}

export function added(record: Answer<'memoryAdd'>, context: Context, { input }: ShowOptions): void {
  const { paint } = context.output;
  const what = record.outcome === 'added' ? 'Remembered' : 'Already known';
  context.output.result(record, {
    text: () =>
      `${paint('green', '✓')} ${what}: ${paint('bold', record.id)} ${paint('dim', `${oneLine(record.category)} · ${views.ownerOf(record)}`)}`,
    quiet: () => record.id,
  });
  noteSecrets(record.content, input, context);
  notePruned(record.pruned, context);
}

function changed(record: Answer<'memoryUpdate'>, context: Context, { input }: ShowOptions): void {
  const { paint } = context.output;
  const what = record.outcome === 'updated' ? 'Changed' : 'Nothing to change in';
  context.output.result(record, {
    text: () => [
      `${paint('green', '✓')} ${what} ${paint('bold', record.id)} ${paint('dim', `version ${record.version}`)}`,
      ...printable(record.content)
        .split('\n')
        .map((line) => `  ${line}`),
    ],
    quiet: () => record.id,
  });
  noteSecrets(record.content, input, context);
  notePruned(record.pruned, context);
}

function forgotten(erased: Answer<'memoryForget'>, { output }: Context): void {
  const { paint } = output;
  const { id, characters, versions, indexEntries, copiesRedacted, remains } = erased;
  const parts = [
    counted(characters, 'character'),
    counted(versions, 'version'),
    counted(indexEntries, 'index entry', 'index entries'),
    ...(copiesRedacted === 0 ? [] : [counted(copiesRedacted, 'recorded copy', 'recorded copies')]),
  ];
  output.result(erased, {
    text: () =>
      versions === 0
        ? `${paint('green', '✓')} ${id} was forgotten before; there was nothing left to erase.`
        : `${paint('green', '✓')} Forgot ${paint('bold', id)}: erased ${parts.join(', ')}.`,
  });
  for (const place of remains) output.note(`The text remains in: ${place}`);
}

function aboutToErase(expired: readonly MemoryRecord[], { output, clock }: Context): void {
  const now = clock.now();
  for (const record of expired.slice(0, MAX_SHOWN)) {
    const when = shortTime(record.expiresAt ?? now, now);
    output.note(`  expired ${when}  ${record.id}  ${oneLine(record.content).slice(0, 100)}`);
  }
  if (expired.length > MAX_SHOWN) output.note(`  … and ${expired.length - MAX_SHOWN} more`);
}

function erasedExpired(
  report: Answer<'memoryForgetExpired'>,
  context: Context,
  { options }: ShowOptions,
): void {
  const { output } = context;
  const { expired, erased } = report;
  if (erased === 0 && expired.length > 0) aboutToErase(expired, context);
  output.result(report, {
    text: () => {
      if (expired.length === 0) return 'Nothing has expired.';
      const many = counted(expired.length, 'expired memory', 'expired memories');
      if (erased > 0) return `${output.paint('green', '✓')} Erased ${many}.`;
      return options.dryRun === true ? `Would erase ${many}.` : `Would erase ${many}; add --yes to do it.`;
    },
    quiet: () => expired.map(({ id }) => id),
  });
}

/** How many are shown before the question. */
const MAX_SHOWN = 20;

/** Shows what is about to be erased, without counting as an access. */
async function askBeforeForgetting({ engine, caller, input }: VerbCall): Promise<string | undefined> {
  const { storage, clock } = engine;
  const record = await storage.records.get(String(input.id), caller.viewer, clock.now());
  if (record === null || record.state === 'forgotten') return undefined;
  return `Forget "${truncate(oneLine(record.content), 60)}"? This cannot be undone.`;
}

/** Shows what is about to be erased before it asks. */
async function askBeforeErasing({ engine, input, caller, context }: VerbCall): Promise<string | undefined> {
  if (input.dryRun === true) return undefined;
  const { expired } = await callVerb(verbs.memoryForgetExpired, engine, { ...input, dryRun: true }, caller);
  if (expired.length === 0) return undefined;
  aboutToErase(expired, context);
  return `Erase ${expired.length === 1 ? 'it' : `all ${expired.length}`}? This cannot be undone.`;
}

/** Without a person to ask and without --yes, it only shows. */
function forgetExpired({ engine, input, caller, options }: VerbCall): Promise<Answer<'memoryForgetExpired'>> {
  const isSure = options.yes === true || someoneIsThere();
  return callVerb(verbs.memoryForgetExpired, engine, isSure ? input : { ...input, dryRun: true }, caller);
}

export const presentations: Presentations = {
  memoryAdd: { show: added },
  memorySearch: {
    ownFlags: [{ flags: '--explain', description: 'Explain the rank of each hit' }],
    show: views.found,
  },
  memoryRecall: { show: views.recalled },
  memoryStanding: { show: views.standing },
  memoryList: { show: views.listed },
  memoryGet: { show: views.whole },
  memoryUpdate: { show: changed },
  memoryPromote: { show: changed },
  memoryForget: { confirm: askBeforeForgetting, show: forgotten },
  memoryForgetExpired: {
    about: {
      summary: verbs.memoryForgetExpired.summary,
      description:
        'Erases expired memories permanently. An expired memory leaves search at once, but stays readable by id until it is erased. On a terminal it asks; elsewhere it only shows what it would erase, unless --yes is given.',
    },
    confirm: askBeforeErasing,
    run: forgetExpired,
    show: erasedExpired,
  },
  memoryHistory: { show: views.versions },
  memoryProfile: { show: views.profile },
  memoryContext: { show: views.forPrompt },
  memoryUndo: { show: changed },
};
