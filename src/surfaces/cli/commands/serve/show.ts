/** What `keepsake serve` says once it listens: where to look first, and how to get in again. */
import { relative } from 'node:path';
import type { RunningServer } from '../../../http/serve.ts';
import type { Context } from '../../context.ts';
import { invocation, quoted } from '../../invocation.ts';

/** As it has to be typed here; it finds the server by its workspace. */
function inspectCommand(workspace: string | undefined): string {
  return [
    `${invocation()} inspect`,
    ...(workspace === undefined ? [] : [`--workspace ${quoted(relative(process.cwd(), workspace) || '.')}`]),
  ].join(' ');
}

export function showStart(server: RunningServer, { output, workspace }: Context): void {
  const { url, port, link, serverKeyFile, isFirstStart } = server;
  const { paint } = output;
  const line = (name: string, text: string): string => `  ${paint('cyan', name.padEnd(9))}  ${text}`;
  output.result(
    { url, port, link, serverKeyFile, isFirstStart, pid: process.pid },
    {
      text: () => [
        `${paint('green', '✓')} Keepsake listens on ${paint('bold', url)}`,
        '',
        line('Inspector', paint('bold', link)),
        line('', paint('dim', `works once; ${inspectCommand(workspace)} prints another`)),
        line('API', `${url}/docs`),
        line('MCP', `${url}/mcp`),
        line('Your key', `${serverKeyFile}${isFirstStart ? ', made just now' : ''}`),
        '',
        paint('dim', '  Ctrl-C ends the server.'),
      ],
      quiet: () => url,
    },
  );
}
