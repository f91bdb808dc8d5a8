/** Checks texts with the guard before they enter a state that all participants read. */
import type { Gate } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { Guard } from '../ports/guard.ts';
import type { GuardedVerb } from '../ports/quarantine-store.ts';
import type { IntendedWrite } from './run-state.ts';

/** Stands where a record has its category. */
const CATEGORY = 'state';

export interface StateGuardParts {
  readonly guard: Guard;
  /** Where what is refused is told and kept for review. */
  readonly gate: Pick<Gate, 'refuse'>;
}

/** Answers with what may be stored, secrets taken out, or throws BLOCKED. */
export async function judgeState(
  value: JsonValue,
  { run, op, path }: IntendedWrite & { readonly run: string },
  caller: Caller,
  { guard, gate }: StateGuardParts,
): Promise<JsonValue> {
  const subjectOf = (content: string) =>
    ({ content, category: CATEGORY, tags: [], origin: 'agent' }) as const;
  // All texts together: harmless parts may add up to something else.
  const subject = subjectOf(textsOf(value).join('\n'));
  const verdict = guard.inspect(subject);
  const kept =
    verdict.instead === undefined
      ? value
      : mapTexts(value, (text) => guard.inspect(subjectOf(text)).instead?.content ?? text);
  if (verdict.allowed) return kept;
  const { agent } = caller.viewer;
  const write = { verb: `state.${op}` as GuardedVerb, agent, input: { run, path, value: kept }, subject };
  throw await gate.refuse(verdict, write, caller);
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
