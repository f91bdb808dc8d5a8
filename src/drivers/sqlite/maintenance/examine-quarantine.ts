/** Checks of what the guard refused and keeps for a person to decide about. */
import { type Check, counted, rowCheck } from './examine-check.ts';

const UNREADABLE = `CASE WHEN json_valid(reasons) THEN json_type(reasons) <> 'array' ELSE TRUE END
  OR (released_at IS NULL AND (content IS NULL OR input IS NULL))
  OR CASE WHEN input IS NULL THEN FALSE WHEN json_valid(input) THEN json_type(input) <> 'object' ELSE TRUE END`;

const unreadable = rowCheck({
  check: 'quarantine.json',
  fine: 'Every refused write can be read.',
  rows: `SELECT id FROM quarantine WHERE ${UNREADABLE}`,
  message: (count) => `${counted(count, 'refused write', 'refused writes')} in the quarantine cannot be read`,
  hint: 'Run "keepsake doctor --fix" to remove them; they never became memories.',
  mend: [`DELETE FROM quarantine WHERE ${UNREADABLE}`],
});

const LEFT = 'released_at IS NOT NULL AND (content IS NOT NULL OR input IS NOT NULL)';

const left = rowCheck({
  check: 'quarantine.released',
  fine: 'The quarantine holds nothing of what was released.',
  rows: `SELECT id FROM quarantine WHERE ${LEFT}`,
  message: (count) => `${counted(count, 'released write', 'released writes')} still stand in the quarantine`,
  hint: 'Run "keepsake doctor --fix"; the memories that they became stay.',
  mend: [`UPDATE quarantine SET content = NULL, input = NULL WHERE ${LEFT}`],
});

export const QUARANTINE_CHECKS: readonly Check[] = [unreadable, left];
