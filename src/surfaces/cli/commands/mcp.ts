/** `keepsake mcp`: serves memory to a program that speaks MCP, over stdin and stdout; and sets such programs up. */
import { setTimeout as pause } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { type Command, Option } from 'commander';
import type { Engine } from '../../../client/index.ts';
import { defined } from '../../../kernel/defined.ts';
import type { HookSocket } from '../../hooks/hook-socket.ts';
import type { Sample } from '../../mcp/index.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { packageVersion } from '../package.ts';
import { enterProject, PROJECT_FLAG } from '../per-project.ts';
import { defineInstall } from './mcp/install.ts';
import { defineStatus } from './mcp/status.ts';
import { defineUninstall } from './mcp/uninstall.ts';

interface Options {
  readonly agent?: string;
  readonly user?: string;
  readonly role?: string;
  readonly packs?: string;
  readonly perProject?: boolean;
  readonly installed?: string;
}

/** The client waits for the first answers and not for this. */
const HOOKS_AFTER_MS = 250;

/** They hand a model the text of a result and its data, which say the same. */
const SHOWS_BOTH = ['qwen', 'gemini', 'cline'];

async function serve(options: Options, context: Context): Promise<void> {
  const { agent, user, role, packs = 'facts', perProject = false } = options;
  // Only this command loads the protocol.
  const { identityFrom, keepStdoutClean, packNames, runStdio, samplerOf } = await import(
    '../../mcp/index.ts'
  );
  keepStdoutClean();
  const chosen = packNames(packs);
  const own = perProject ? await enterProject(context.workspace) : undefined;
  const engine = await context.open();
  const note = (text: string): void => context.output.note(`keepsake mcp: ${text}`);
  // As a lead it may correct from any project what was said of all of them.
  const otherwise = own === undefined ? undefined : { agent: own, role: 'lead' as const };
  const named = identityFrom({ agent, user, role, otherwise }, engine);
  const isRoleNamed =
    role !== undefined || otherwise !== undefined || Boolean(engine.env.KEEPSAKE_ROLE?.trim());
  const { roleInFile } = await import('../../../administration/agent-definitions.ts');
  const inFile = isRoleNamed ? undefined : await roleInFile(engine.paths.agentsFolder, named.agent!);
  const found = { ...named, ...defined({ role: inFile }) };
  const isProject = own !== undefined && found.agent === own;
  const identity = { ...found, session: engine.ids('ses'), isProject };
  note(`agent ${identity.agent} (${identity.role}), workspace ${engine.paths.root}`);
  const client = options.installed?.split('/')[0];
  await noteUse(client, context);
  let server: McpServer | undefined;
  const served = runStdio(engine, identity, {
    onServer: (connected) => {
      server = connected;
    },
    packs: chosen,
    textOnly: client !== undefined && SHOWS_BOTH.includes(client),
    signal: context.closing,
    onError: (error) => note(error.message),
  });
  const ended = new AbortController();
  const hooks = pause(HOOKS_AFTER_MS, undefined, { signal: ended.signal }).then(
    () =>
      answerHooks(engine, context, (asking) =>
        server === undefined || asking !== identity.agent ? undefined : samplerOf(server),
      ),
    () => undefined,
  );
  // A write that was begun when the signal came is finished and answered.
  context.beforeClosing(async () => {
    await served;
    ended.abort();
    await (await hooks)?.close();
  });
  await served;
}

/** The hooks of the same client ask here, so that they need not open the workspace themselves. */
async function answerHooks(
  engine: Engine,
  { workspace }: Context,
  sampler: (agent: string) => Sample | undefined,
): Promise<HookSocket | undefined> {
  const [{ listenForHooks }, { OpenedWorkspace }, { findTarget }] = await Promise.all([
    import('../../hooks/answer-socket.ts'),
    import('../../../administration/same-workspace.ts'),
    import('../../../administration/target.ts'),
  ]);
  const opened = new OpenedWorkspace(findTarget({ workspace }), engine.env);
  return listenForHooks({ engine, opened, sampler, version: packageVersion() });
}

/** For "keepsake mcp status", which says when a client last started the server. */
async function noteUse(client: string | undefined, { clock }: Context): Promise<void> {
  if (client === undefined) return;
  const { noteClientUse } = await import('../../../administration/program-file.ts');
  noteClientUse({ client, at: clock.now(), version: packageVersion() });
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Serves memory over stdin and stdout to a program that speaks the Model Context Protocol. It acts for one agent, which no tool can change. Nothing but the protocol is written to stdout.',
    )
    .option('--agent <name>', 'Whose memory it is; else $KEEPSAKE_AGENT, else the default agent')
    .option('--user <id>', 'The user that the agent serves; else $KEEPSAKE_USER, else none')
    .option(
      '--role <role>',
      'worker, lead or reader; else $KEEPSAKE_ROLE, else the role in agents/<agent>.md, else worker',
    )
    .option(
      '--packs <names>',
      'Tools to offer: facts (default), sections, swarm, state, with commas between them',
    )
    .option(...PROJECT_FLAG)
    .addOption(
      new Option(
        '--installed <client/version>',
        'Which client this was installed for, and by what',
      ).hideHelp(),
    )
    .action((options: Options) => serve(options, context));
  defineInstall(
    command.command('install').summary('Adds Keepsake to the settings of a program that speaks MCP.'),
    context,
  );
  defineUninstall(
    command.command('uninstall').summary('Removes Keepsake from the settings of a program.'),
    context,
  );
  defineStatus(
    command.command('status').summary('Lists the programs that know Keepsake, and whether it starts there.'),
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
