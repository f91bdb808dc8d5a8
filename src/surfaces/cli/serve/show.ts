/** What `keepsake serve` says once it listens. */
import type { RunningServer } from '../../http/serve.ts';
import type { Context } from '../context.ts';

export function showStart(server: RunningServer, { output }: Context): void {
  const { url, port, link, serverKeyFile, isFirstStart } = server;
  const { paint } = output;
  output.result(
    { url, port, link, serverKeyFile, isFirstStart, pid: process.pid },
    {
      text: () => [
        `${paint('green', '✓')} Keepsake listens on ${paint('bold', url)}`,
        `  Open ${link} (works once; "keepsake inspect" prints another)`,
        `  Your key is in ${serverKeyFile}${isFirstStart ? ', made just now' : ''}`,
        paint('dim', '  The API is described at /docs. Ctrl-C ends the server.'),
      ],
      quiet: () => url,
    },
  );
}
