/** `keepsake compact`: how a compaction looks to a person, with the size of the archive that it made. */
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { counted } from '../terminal/sizes.ts';
import { type Answer, ownRun, type Presentations, type VerbCall } from './presentation.ts';

type Compacted = Answer<'conversationCompact'> & {
  /** How many messages the archive holds; null when there is none. */
  readonly archivedMessages: number | null;
};

async function compact({ engine, input, caller }: VerbCall): Promise<Compacted> {
  const result = await callVerb(verbs.conversationCompact, engine, input, caller);
  const { archive } = result;
  const archived = archive === null ? null : await engine.conversations.archives(caller).messages(archive);
  return { ...result, archivedMessages: archived?.length ?? null };
}

function show(result: Compacted, { output }: Context): void {
  const { archive, archivedMessages, summary, by } = result;
  const { paint } = output;
  const kind = by === 'extractive' ? 'an extractive summary' : 'your summary';
  output.result(result, {
    text: () => [
      `${paint('green', '✓')} Compacted: ${kind} of ${counted(String(summary.content).length, 'character')} replaces the conversation.`,
      archive === null
        ? '  There was no MEMORY.md to archive; the log keeps every message.'
        : `  ${counted(archivedMessages ?? 0, 'message')} archived as ${paint('bold', archive)}`,
    ],
    quiet: () => archive ?? [],
  });
  if (by === 'extractive') {
    output.note(
      'No summary was given, so the summary consists of the most informative sentences of the conversation, verbatim.',
    );
  }
}

export const presentations: Presentations = {
  conversationCompact: ownRun<Compacted>({ run: compact, show }),
};
