/** Refuses a compaction by which nothing would be gained. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { writeBlock } from '../formats/memory-md.ts';
import { SYSTEM } from '../messages/roles.ts';
import { SUMMARY_MARK } from './summary-check.ts';
import type { Utterance } from './utterances.ts';

export function nothingToCompact(agent: string): KeepsakeError {
  return new KeepsakeError('NOT_FOUND', `There is nothing to compact in the conversation of ${agent}.`, {
    hint: 'Nothing was changed. "keepsake log get" shows what was said; a summary is not summarised again.',
  });
}

/** Measured as MEMORY.md has them, where every message has a heading. */
export function refuseToGrow(extract: string, utterances: readonly Utterance[]): void {
  const lengthOf = (role: string, text: string) => writeBlock({ role: role || SYSTEM, at: 0, text }).length;
  const before = utterances.reduce((sum, { speaker, text }) => sum + lengthOf(speaker, text), 0);
  const after = lengthOf(SYSTEM, `${SUMMARY_MARK}\n${extract}`);
  if (after < before) return;
  throw new KeepsakeError(
    'NOT_FOUND',
    `Compacting would not make the conversation shorter: the summary would have ${after} characters, the conversation has ${before}.`,
    { hint: 'Nothing was changed. Give a summary of your own, or compact when more was said.' },
  );
}
