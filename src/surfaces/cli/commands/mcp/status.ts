/** `keepsake mcp status`: which programs know Keepsake, whether it starts as they start it, and when they last did. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { clientUses } from '../../../../administration/program-file.ts';
import { userFolders } from '../../../../administration/user-folders.ts';
import { toKeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { packageVersion } from '../../package.ts';
import { shortTime } from '../../terminal/short-time.ts';
import { renderTable } from '../../terminal/table.ts';
import { CLIENT_NAMES, clientNamed, type McpClient, type ServerCommand } from './clients.ts';
import { settingsFormat } from './formats.ts';
import { readSettings } from './settings-file.ts';
import { type Tried, tryServer } from './try-server.ts';

interface ClientStatus {
  readonly client: string;
  readonly file: string;
  /** False for a program that does not know Keepsake. */
  readonly configured: boolean;
  readonly command?: readonly string[];
  /** The version that wrote the entry; another one may run now. */
  readonly installedVersion?: string;
  readonly starts?: boolean;
  readonly tools?: number;
  readonly problem?: string;
  readonly lastUsed: number | null;
}

/** Every client writes the command in its own way. */
function commandIn(entry: Readonly<Record<string, unknown>>): ServerCommand | undefined {
  const { command, args = [] } = entry;
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  const [first, ...rest] = words;
  return first === undefined ? undefined : { command: first, args: rest };
}

async function look(client: McpClient, file: string, name: string, start: boolean): Promise<ClientStatus> {
  const lastUsed = clientUses().find((use) => use.client === client.name)?.at ?? null;
  const known = { client: client.name, file, lastUsed };
  try {
    const text = readSettings(file);
    const format = settingsFormat(client.format);
    const entry = text === undefined ? undefined : format.entryIn(text, file, [client.key, name]);
    if (entry === undefined) return { ...known, configured: false };
    const server = commandIn(entry);
    if (server === undefined)
      return { ...known, configured: true, starts: false, problem: 'The entry names no command.' };
    const installed = /^[\w-]+\/(.+)$/.exec(server.args[server.args.indexOf('--installed') + 1] ?? '')?.[1];
    const { tools, ...tried } = start ? await tryServer(server) : ({} as Partial<Tried>);
    return {
      ...known,
      configured: true,
      command: [server.command, ...server.args],
      ...(installed === undefined ? {} : { installedVersion: installed }),
      ...tried,
      ...(tools === undefined ? {} : { tools: tools.length }),
    };
  } catch (error) {
    return { ...known, configured: false, problem: toKeepsakeError(error).message };
  }
}

/** Settings of the user, and those of this folder where it has some. */
function placesOf(client: McpClient): string[] {
  const inProject = client.projectFile === undefined ? [] : [join(process.cwd(), client.projectFile)];
  return [...new Set([client.file(userFolders()), ...inProject.filter((file) => existsSync(file))])];
}

async function status(name: string, start: boolean, { output, clock }: Context): Promise<void> {
  const found: ClientStatus[] = [];
  for (const client of CLIENT_NAMES.map(clientNamed)) {
    for (const file of placesOf(client)) {
      const entry = await look(client, file, name, start);
      // Of a project without an entry there is nothing to say.
      if (entry.configured || entry.problem !== undefined || file === client.file(userFolders()))
        found.push(entry);
    }
  }
  const known = found.filter(({ configured, problem }) => configured || problem !== undefined);
  output.result(found, {
    text: () =>
      known.length === 0
        ? 'No program knows Keepsake yet: add one with "keepsake mcp install <program>".'
        : renderTable(
            {
              rows: known,
              columns: [
                { title: 'PROGRAM', cell: ({ client }) => client },
                { title: 'STARTS', cell: stateOf, max: 40 },
                { title: 'TOOLS', align: 'right', cell: ({ tools }) => String(tools ?? '') },
                {
                  title: 'LAST USED',
                  cell: ({ lastUsed }) => (lastUsed === null ? 'never' : shortTime(lastUsed, clock.now())),
                },
              ],
              long: { title: 'SETTINGS', cell: ({ file }) => file },
            },
            output.width,
            output.paint,
          ),
    quiet: () => known.map(({ client }) => client),
  });
}

function stateOf({ starts, problem, installedVersion }: ClientStatus): string {
  if (problem !== undefined) return `no: ${problem}`;
  if (starts === undefined) return 'not tried';
  const isOther = installedVersion !== undefined && installedVersion !== packageVersion();
  return isOther ? `yes (installed by ${installedVersion})` : 'yes';
}

export function defineStatus(command: Command, context: Context): void {
  command
    .description(
      'Lists the programs that know Keepsake. Starts each server as the program does, asks it for its tools, and says when the program last started it.',
    )
    .option('--name <name>', 'The name of the server in the settings', 'keepsake')
    .option('--no-start', 'Only read the settings')
    .action((options: { name: string; start: boolean }) => status(options.name, options.start, context));
  addExamples(command, ['keepsake mcp status', 'keepsake mcp status --json'], context);
}
