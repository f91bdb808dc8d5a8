/** `keepsake inspect`: a new link to the inspector of the server that is running. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';

const EXAMPLE = 'http://127.0.0.1:4444';

function serverUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
  throw new InvalidArgumentError(`Expected an address such as ${EXAMPLE}.`);
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Prints a new link to the inspector of the server that is running. Each link works once, for ten minutes, in one browser.',
    )
    .option(
      '--url <address>',
      'Where the server listens; if not given, the one of this workspace that runs on this machine',
      serverUrl,
    )
    .action(async ({ url }: { readonly url?: string }) => {
      const { browserLink } = await import('../../../administration/browser-link.ts');
      const link = await browserLink({ workspace: context.workspace, url });
      context.output.result({ link }, { text: () => `Open ${link} (works once)`, quiet: () => link });
    });
  addExamples(command, ['keepsake inspect', 'keepsake inspect --url http://127.0.0.1:8080'], context);
}
