/** Shows changes to settings files, asks once for all of them, and writes them with backups. */
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';
import { confirm, someoneIsThere } from '../../terminal/confirm.ts';
import { removeSettings, replaceSettings } from './settings-file.ts';
import { diffOf, type Edit } from './settings-format.ts';

export interface Change {
  readonly file: string;
  readonly edit: Edit;
  /** Nothing is left in it. */
  readonly isRemoved?: boolean;
}

const COLOURS = { '+': 'green', '-': 'red' } as const;

export async function showChanges(
  changes: readonly Change[],
  agreed: boolean,
  { output }: Context,
): Promise<void> {
  for (const { file, edit } of output.json || output.quiet ? [] : changes) {
    const shown = diffOf(edit).map((line) => {
      const colour = COLOURS[line[0] as '+' | '-'];
      return colour === undefined ? line : output.paintError(colour, line);
    });
    process.stderr.write(`${[file, ...shown].join('\n')}\n`);
  }
  if (agreed) return;
  if (!someoneIsThere()) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      'Nothing was changed, because stdin is not a terminal and --yes was not given.',
      {
        hint: 'Add --yes to write it, or --print to see the lines only.',
      },
    );
  }
  await confirm('Write this?');
}

export interface Written {
  readonly file: string;
  readonly backup?: string;
  readonly removed?: boolean;
}

export function applyChanges(changes: readonly Change[], { clock }: Context): Written[] {
  return changes.map(({ file, edit, isRemoved = false }) => {
    if (isRemoved && removeSettings(file, edit)) return { file, removed: true };
    const backup = replaceSettings(file, edit, clock.now());
    return { file, ...(backup === undefined ? {} : { backup }) };
  });
}
