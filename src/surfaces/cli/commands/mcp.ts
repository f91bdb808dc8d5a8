/** `keepsake mcp`: serves memory to a program that speaks MCP, over stdin and stdout; and sets such programs up. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { defineInstall } from '../mcp/install.ts';

interface Options {
  readonly agent?: string;
  readonly role?: string;
  readonly packs?: string;
}

async function serve({ agent, role, packs = 'facts' }: Options, context: Context): Promise<void> {
  // Only this command loads the protocol.
  const { identityFrom, keepStdoutClean, packNames, runStdio } = await import('../../mcp/index.ts');
  keepStdoutClean();
  const chosen = packNames(packs);
  const engine = await context.open();
  const note = (text: string): void => context.output.note(`keepsake mcp: ${text}`);
  const identity = { ...identityFrom({ agent, role }, engine), session: engine.ids('ses') };
  note(`agent ${identity.agent} (${identity.role}), workspace ${engine.paths.root}`);
  const served = runStdio(engine, identity, {
    packs: chosen,
    signal: context.closing,
    onError: (error) => note(error.message),
  });
  // A write that was begun when the signal came is finished and answered.
  context.beforeClosing(() => served);
  await served;
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Serves memory over stdin and stdout to a program that speaks the Model Context Protocol. It acts for one agent, which no tool can change. Nothing but the protocol is written to stdout.',
    )
    .option('--agent <name>', 'Whose memory it is; else $KEEPSAKE_AGENT, else the default agent')
    .option('--role <role>', 'worker, lead or reader; else $KEEPSAKE_ROLE, else worker')
    .option(
      '--packs <names>',
      'Tools to offer: facts (default), sections, swarm, state, with commas between them',
    )
    .action((options: Options) => serve(options, context));
  defineInstall(
    command.command('install').summary('Adds Keepsake to the settings of a program that speaks MCP.'),
    context,
  );
  addExamples(
    command,
    [
      'keepsake mcp',
      'keepsake mcp --agent research --packs facts,sections',
      'keepsake mcp install claude-code',
    ],
    context,
  );
}
