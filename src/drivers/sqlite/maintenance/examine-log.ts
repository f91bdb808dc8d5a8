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
  const salvage = await salvageLog(copy, file, now);
  return [
    {
      ...finding,
      message: `${message} A copy of both files is kept in ${copy} and ${copy}-wal; what is intact was kept.${described(salvage)}`,
      hint:
        salvage === undefined
          ? 'Compare with a backup: the newest memories are missing.'
          : `Run "keepsake restore ${salvage.file}" to go on with what was saved, or restore a backup that has more.`,
      fixable: true,
      fixed: true,
    },
  ];
}

function described(salvage: LogSalvage | undefined): string {
  if (salvage === undefined) return '';
  const { file, saved, kept } = salvage;
  const content = `${counted(saved.records, 'memory', 'memories')} and ${counted(saved.messages, 'message', 'messages')}`;
  return ` Of the rest, everything readable was saved with it into ${file}: ${content}, where the database has ${kept.records} and ${kept.messages}.`;
}
