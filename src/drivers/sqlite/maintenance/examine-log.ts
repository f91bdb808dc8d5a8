/** Damage that SQLite itself would pass over: a broken write-ahead log, and a database that was emptied. */
import { truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Finding } from '../../../ports/maintenance.ts';
import { describeLogDamage, EMPTIED_HINT, isEmptied, logDamage } from '../write-ahead-log.ts';
import { counted } from './examine-check.ts';
import { setAside } from './quarantine.ts';
import { type LogSalvage, salvageLog } from './salvage-log.ts';

export async function examineLog(file: string, fix: boolean, now: number): Promise<Finding[]> {
  if (isEmptied(file, now)) {
    return [
      {
        ...{ check: 'database.emptied', severity: 'problem', fixable: false, hint: EMPTIED_HINT },
        message: `The database ${file} is empty, although it was made before.`,
      },
    ];
  }
  const damage = logDamage(file);
  if (damage === undefined) return [];
  const finding = { check: 'database.log', severity: 'problem' } as const;
  const message = describeLogDamage(file, damage);
  if (!fix) {
    const hint =
      'Stop other processes and run "keepsake doctor --fix" to keep a copy and continue with what is intact, or "keepsake restore <backup>".';
    return [{ ...finding, message, hint, fixable: true }];
  }
  const { file: copy } = await setAside(file, dirname(file), now);
  await truncate(`${file}-wal`, damage.intactBytes);
  const salvage = await salvageLog(copy, file, now).catch((error: unknown) => ({ error }));
  return [
    {
      ...finding,
      message: `${message} A copy of both files is kept in ${copy} and ${copy}-wal; what is intact was kept.${described(salvage)}`,
      hint:
        salvage === undefined || 'error' in salvage
          ? 'Compare with a backup: the newest memories are missing.'
          : salvageHint(salvage),
      fixable: true,
      fixed: true,
    },
  ];
}

/** The log was truncated already: an error such as a full disk must not hide that, nor where the copy is. */
function described(salvage: LogSalvage | { readonly error: unknown } | undefined): string {
  if (salvage === undefined) return '';
  if ('error' in salvage) {
    const { error } = salvage;
    return ` The rest could not be salvaged: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { file, saved, kept } = salvage;
  const content = `${counted(saved.records, 'memory', 'memories')} and ${counted(saved.messages, 'message', 'messages')}`;
  return ` Of the rest, everything readable was saved with it into ${file}: ${content}, where the database has ${kept.records} and ${kept.messages}.`;
}

/** Restoring replaces the database, so it is suggested only where nothing becomes less. */
export function salvageHint({ file, saved, kept }: LogSalvage): string {
  const undone = 'Deletions behind the damage may be undone.';
  if (saved.records >= kept.records && saved.messages >= kept.messages)
    return `Run "keepsake restore ${file}" to continue with the saved content, or restore a backup that has more. ${undone}`;
  const fewer = saved.records < kept.records ? 'memories' : 'messages';
  return `The saved file has fewer ${fewer} than the database, so compare both with a backup before you replace the database. ${undone}`;
}
