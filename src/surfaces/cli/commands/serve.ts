/** `keepsake serve`: serves memory over HTTP until it is stopped. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { defined } from '../../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../../kernel/errors.ts';
import type { RunningServer } from '../../http/serve.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../../http/watch/server-log.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { invocation, quoted } from '../invocation.ts';

const LAST_PORT = 65_535;

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= LAST_PORT) return port;
  throw new InvalidArgumentError(`Expected a port from 0 to ${LAST_PORT}.`);
}

function allowedHost(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[a-z0-9._-]+$/i.test(text)) return [...before, text];
  throw new InvalidArgumentError('Expected a name such as memory.example.org, without port.');
}

/** One without the other is a mistake that would leave the server without encryption. */
function readTls(
  cert: string | undefined,
  key: string | undefined,
): { readonly cert: string; readonly key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new KeepsakeError('INVALID_INPUT', '--tls-cert and --tls-key go together; only one was given.', {
      hint: 'Give both: --tls-cert cert.pem --tls-key key.pem',
    });
  }
  try {
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    throw new KeepsakeError('NOT_FOUND', `${path} cannot be read (${code}).`, {
      hint: 'Check the path and the permissions of the file.',
      cause,
    });
  }
}

/** As it has to be typed here; it finds the server by its workspace. */
function inspectCommand(workspace: string | undefined): string {
  return [
    `${invocation()} inspect`,
    ...(workspace === undefined ? [] : [`--workspace ${quoted(relative(process.cwd(), workspace) || '.')}`]),
  ].join(' ');
}

function showStart(server: RunningServer, { output, workspace }: Context): void {
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

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly allowHost?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly logFormat?: LogFormat;
  readonly logLevel?: LogLevel;
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Serves the memory of the workspace over HTTP: REST for every verb, events as a stream, and a description at /docs. By default it listens on this machine only. Every request needs a key.',
    )
    .option('--port <number>', 'Port to listen on, 0 for any that is free; 4444 if not given', portNumber)
    .option('--host <address>', 'Address to listen on; 127.0.0.1 if not given')
    .option(
      '--allow-host <name>',
      'Another name of the server, for example of a proxy; may be repeated',
      allowedHost,
    )
    .option('--tls-cert <file>', 'Certificate in PEM: the server then speaks HTTPS')
    .option('--tls-key <file>', 'Its key in PEM')
    .addOption(
      new Option('--log-format <format>', 'How the log on stderr is written; text if not given').choices(
        LOG_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'The least serious entries of the log; warn if not given, info has every request',
      ).choices(LOG_LEVELS),
    )
    .action(async ({ host, port, allowHost, tlsCert, tlsKey, logFormat, logLevel }: ServeFlags) => {
      const tls = readTls(tlsCert, tlsKey);
      await context.refuseFolderAbove();
      const engine = await context.open();
      // Only this command loads what a server takes.
      const { serve } = await import('../../http/serve.ts');
      const { packageVersion } = await import('../package.ts');
      const server = await serve(engine, {
        version: packageVersion(),
        ...defined({ host, port, allowHosts: allowHost, tls }),
        log: defined({ format: logFormat, level: logLevel }),
      });
      const ended = Promise.withResolvers<void>();
      // A terminal that closes, or "systemctl reload": neither may end a server.
      process.on('SIGHUP', () => {
        try {
          server.reload(readTls(tlsCert, tlsKey));
        } catch (error) {
          output.note(`warning: ${toKeepsakeError(error).message} The certificate stays as it was.`);
        }
      });
      context.beforeClosing(() => server.stop().then(ended.resolve));
      showStart(server, context);
      await ended.promise;
    });
  addExamples(
    command,
    [
      'keepsake serve',
      'keepsake serve --port 8080',
      'keepsake serve --host 0.0.0.0 --allow-host memory.example.org',
      'keepsake serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
    ],
    context,
  );
}
