/** `keepsake keys list`: every key that was made, with its role, and whether it still works. */
import type { Command } from 'commander';
import { type ApiKey, keysList } from '../../../../administration/keys.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { oneLine } from '../../terminal/printable.ts';
import { shortTime } from '../../terminal/short-time.ts';
import { type Column, renderTable } from '../../terminal/table.ts';

export function defineList(command: Command, context: Context): void {
  const { output, clock } = context;
  const columns: Column<ApiKey>[] = [
    { title: 'KEY', cell: ({ id }) => id, paint: 'cyan' },
    { title: 'ROLE', cell: ({ role }) => role },
    { title: 'AGENT', cell: ({ agent }) => oneLine(agent ?? 'any') },
    { title: 'STATE', cell: ({ revokedAt }) => (revokedAt === undefined ? 'valid' : 'revoked') },
    { title: 'SINCE', cell: ({ createdAt }) => shortTime(createdAt, clock.now()), paint: 'dim' },
  ];
  command.description('Lists the keys that were made; their secrets are stored nowhere.').action(async () => {
    const isMissing = (await context.missingWorkspace()) !== undefined;
    const keys = isMissing ? [] : await keysList(context);
    output.result(keys, {
      text: () =>
        keys.length === 0
          ? 'No key has been made yet.'
          : renderTable(
              { rows: keys, columns, long: { title: 'NAME', cell: ({ name }) => oneLine(name) } },
              output.width,
              output.paint,
            ),
      quiet: () => keys.map(({ id }) => id),
    });
  });
  addExamples(command, ['keepsake keys list', 'keepsake keys list --json'], context);
}
