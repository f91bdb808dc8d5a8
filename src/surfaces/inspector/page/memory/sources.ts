/** Where memories come from, as people call it. */
import type { Source } from '../../../../kernel/record.ts';
import { words } from '../dom/format.ts';

/** All of them: one that the kernel adds and that is missing here does not compile. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  manual: 'added by hand',
  extracted: 'learned from a session',
  task_completion: 'finished task',
  session_summary: 'session summary',
  file_index: 'notes in files',
  knowledge: 'document',
  swarm_result: 'swarm result',
};

export function sourceName(source: string): string {
  return Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source as Source] : words(source);
}
