/** `keepsake notes watch`: keeps memory in step with the notes that agents write into files. */
import type { Command } from 'commander';
import { checkAgentName } from '../../../../kernel/names.ts';
import { verbs } from '../../../../verbs.ts';
import type { NotesReport } from '../../../notes/notes-watcher.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { errorLines } from '../../failures.ts';
import { indexing } from '../../show/knowledge/indexing.ts';
import { indexed } from '../../show/knowledge.ts';
import { counted } from '../../terminal/sizes.ts';

interface Options {
  readonly agent?: string;
  readonly once?: boolean;
}

/** One line per change: a line of JSON for programs, words for people. */
function printer({ output }: Context) {
  return (agent: string, { files, added, updated, removed, skipped }: NotesReport): void => {
    if (output.json) {
      process.stdout.write(`${output.jsonLine({ agent, files, added, updated, removed, skipped })}\n`);
      return;
    }
    if (output.quiet || added + updated + removed === 0) return;
    const changes = [
      ...(added > 0 ? [`${added} added`] : []),
      ...(updated > 0 ? [`${updated} updated`] : []),
      ...(removed > 0 ? [`${removed} erased`] : []),
    ];
    process.stdout.write(`${agent}: ${counted(files, 'note')}, chunks: ${changes.join(', ')}\n`);
  };
}

async function follow(agent: string | undefined, context: Context): Promise<void> {
  const [{ watchNotes }, { toKeepsakeError }] = await Promise.all([
    import('../../../notes/notes-watcher.ts'),
    import('../../../../kernel/errors.ts'),
  ]);
  const engine = await context.open();
  const { output } = context;
  output.note(`Watching ${engine.paths.agentsFolder}; Ctrl-C ends it.`);
  await watchNotes({
    engine,
    agent,
    signal: context.closing,
    onIndexed: printer(context),
    onProblem: (name, error) => {
      const lines = errorLines(toKeepsakeError(error), output);
      process.stderr.write(`${name}: ${lines.join('\n')}\n`);
    },
  });
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Indexes the notes in agents/<name>/notes now, and again when any program writes, changes, renames or removes one.',
    )
    .option('--agent <name>', 'Only the notes of this agent')
    .option('--once', 'Index what is there now and end, for CI')
    .action(async ({ agent, once }: Options) => {
      const name = agent === undefined ? undefined : checkAgentName(agent);
      if (once !== true) return follow(name, context);
      const engine = await context.open();
      const viewer =
        name === undefined ? ({ role: 'admin' } as const) : ({ agent: name, role: 'worker' } as const);
      const call = {
        engine,
        caller: { viewer, via: 'cli' as const },
        input: {},
        path: undefined,
        options: {},
        context,
      };
      indexed(await indexing('Indexing', verbs.notesIndex)(call), context);
    });
  addExamples(
    command,
    ['keepsake notes watch', 'keepsake notes watch --agent my-agent', 'keepsake notes watch --once --json'],
    context,
  );
}
