/** Has texts judged before they become part of a state, which every participant reads into its prompt. */
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventDraft } from '../kernel/events.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { Guard } from '../ports/guard.ts';

/** Stands where a record has its category. */
const CATEGORY = 'state';

export interface StateGuardParts {
  readonly guard: Guard;
  readonly clock: Clock;
  readonly emit: (event: EventDraft) => Promise<void>;
}

/** Answers with what may be stored, secrets taken out, or throws BLOCKED. The state is passing, so nothing is kept for review. */
export async function judgeState(
  value: JsonValue,
  caller: Caller,
  parts: StateGuardParts,
): Promise<JsonValue> {
  const { guard, clock, emit } = parts;
  const inspect = (content: string) =>
    guard.inspect({ content, category: CATEGORY, tags: [], origin: 'agent' });
  // All texts together: harmless parts may add up to something else.
  const verdict = inspect(textsOf(value).join('\n'));
  if (verdict.allowed) {
    return verdict.instead === undefined
      ? value
      : mapTexts(value, (text) => inspect(text).instead?.content ?? text);
  }
  const { viewer, via, session } = caller;
  const reasons = [...verdict.reasons];
  await emit({
    type: 'memory.blocked',
    at: clock.now(),
    via,
    ...(viewer.agent === undefined ? {} : { agent: viewer.agent }),
    ...(session === undefined ? {} : { session }),
    reasons,
    category: CATEGORY,
  });
  throw new KeepsakeError('BLOCKED', `This was not stored in the state: ${reasons.join(', ')}.`, {
    hint: 'If it is harmless, say it in other words.',
    details: { reasons },
  });
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value).flatMap(([key, entry]) => [key, ...textsOf(entry)]);
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [change(key), mapTexts(entry, change)]),
  );
}
