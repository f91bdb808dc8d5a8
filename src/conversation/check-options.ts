/** Validates options at run time for JavaScript callers, and suggests the correct name of a wrong option. */
import { KeepsakeError } from '../kernel/errors.ts';
import { unknownName } from '../kernel/explain-issue.ts';

/** Refuses values that are not objects, and unknown names. */
export function checkNames(options: unknown, known: readonly string[], example: string): void {
  const hint = `For example: ${example}`;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = options === undefined ? 'nothing was given' : `this is a ${typeof options}`;
    throw new KeepsakeError('INVALID_INPUT', `An object is expected, and ${given}.`, { hint });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new KeepsakeError('INVALID_INPUT', unknownName(unknown, known), { hint });
}

export function checkCompactOptions(options: unknown): void {
  const example = 'compact({ summary: "The invoice is paid; the report is due on Monday.", keepLast: 4 })';
  checkNames(options, ['summary', 'keepLast', 'covers', 'by'], example);
  const { summary, covers } = options as { summary?: unknown; covers?: unknown };
  if (typeof summary !== 'string') {
    throw new KeepsakeError('INVALID_INPUT', 'summary must be a text that replaces the conversation.', {
      hint: `Nothing was changed. For example: ${example}`,
    });
  }
  if (covers === undefined || (Array.isArray(covers) && covers.every((id) => typeof id === 'string'))) return;
  throw new KeepsakeError('INVALID_INPUT', 'covers must be a list of the ids of messages.', {
    hint: 'Nothing was changed. Leave it out to summarise all but the last keepLast messages.',
  });
}

export function checkText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new KeepsakeError('INVALID_INPUT', `${name} must be a text.`, {
    hint: 'Give the words to look for.',
  });
}

export function checkCount(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new KeepsakeError('INVALID_INPUT', `${name} must be a whole number, zero or more.`, {
    hint: 'It counts messages.',
  });
}
