/** A check that counts what is wrong, and can repair it. */
import type { Finding } from '../../ports/maintenance.ts';

export interface CountCheck {
  readonly check: string;
  /** What is reported when nothing is wrong. */
  readonly fine: string;
  readonly message: string;
  readonly hint?: string;
  readonly repair: () => Promise<unknown>;
  /** Counts again after the repair. */
  readonly isRepaired: () => Promise<boolean>;
}

export async function applyCheck(
  { check, fine, message, hint = 'Run "keepsake doctor --fix".', repair, isRepaired }: CountCheck,
  isFine: boolean,
  fix: boolean,
): Promise<Finding> {
  if (isFine) return { check, severity: 'ok', message: fine };
  const problem: Finding = { check, severity: 'problem', message, hint, fixable: true };
  if (!fix) return problem;
  await repair();
  return { ...problem, fixed: await isRepaired() };
}
