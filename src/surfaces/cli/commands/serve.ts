/** `keepsake serve`: memory over HTTP, until it is told to stop. */

import type { Command } from 'commander';
import { defined } from '../../../kernel/defined.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { allowedHost, portNumber, readTls } from './serve/flags.ts';
import { showStart } from './serve/show.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly allowHost?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Serves the memory of the workspace over HTTP: REST for every operation, events as a stream, a description at /docs. It listens on this machine only, unless told otherwise, and every request needs a key.',
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
    .action(async ({ host, port, allowHost, tlsCert, tlsKey }: ServeFlags) => {
      const tls = readTls(tlsCert, tlsKey);
      const engine = await context.open();
      // Only this command loads what a server takes.
      const { serve } = await import('../../http/serve.ts');
      const { packageVersion } = await import('../package.ts');
      const server = await serve(engine, {
        version: packageVersion(),
        ...defined({ host, port, allowHosts: allowHost, tls }),
        onDefect: (error, requestId) => {
          const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
          process.stderr.write(`request ${requestId} failed: ${text}\n`);
        },
      });
      const ended = Promise.withResolvers<void>();
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
