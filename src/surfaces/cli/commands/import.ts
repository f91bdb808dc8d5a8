/** `keepsake import`: an export of Keepsake, the memory of another system, or a folder of Markdown. */
import { type Command, Option } from 'commander';
import { IMPORT_FORMATS, type ImportFormat, workspaceImport } from '../../../administration/transfer.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { importLines } from './import/show.ts';

interface Options {
  readonly agent?: string;
  readonly from?: ImportFormat;
  readonly dryRun?: boolean;
}

/** "-" is no file here: an archive is read twice. */
function refuseStdin(path: string): void {
  if (path !== '-') return;
  throw new KeepsakeError('INVALID_INPUT', 'An import is read from a file or folder, not from stdin.', {
    hint: 'Save it first; "keepsake log import -" takes a single conversation from stdin.',
  });
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Takes memory in: an archive that "keepsake export" made, the JSON of mem0, the file of the MCP memory server, the exports of Claude and ChatGPT (also as ZIP), or a folder of Markdown. What is there stays, and doing it twice is the same as once.',
    )
    .argument('<path>', 'File or folder to import')
    .option('--agent <name>', 'Agent that is to remember it; an archive says so itself')
    .addOption(
      new Option('--from <format>', 'What it is, if the content should not decide').choices(IMPORT_FORMATS),
    )
    .option('--dry-run', 'Only say what would be added')
    .action(async (path: string, { agent, from, dryRun }: Options) => {
      refuseStdin(path);
      const engine = await context.open();
      const name = checkAgentName(agent ?? engine.config.name);
      const progress = createProgress('Importing', output);
      const report = await workspaceImport(
        engine,
        path,
        { viewer: { agent: name, role: 'worker' }, via: 'cli' },
        {
          ...{ from, dryRun, signal: context.closing },
          onProgress: ({ done, total }) => progress.show(done, total),
        },
      ).finally(() => progress.end());
      output.result(report, { text: () => importLines(report, output.paint) });
    });
  addExamples(
    command,
    [
      'keepsake import memory.keepsake',
      'keepsake import mem0.json --agent my-agent --dry-run',
      'keepsake import ~/.mcp/memory.jsonl --agent my-agent',
      'keepsake import chatgpt-export.zip --agent my-agent',
      'keepsake import ./notes --agent my-agent',
    ],
    context,
  );
}
