/** Takes out of a stored event what it quotes of memories that were forgotten: their category, and why they were found. */
import type { JsonValue } from '../../kernel/json.ts';

/** Events that describe memories inside of them, not only by their own id. */
export const EVENTS_ABOUT_MEMORIES = ['session.receipt', 'memory.extracted'] as const;

/** Free text that describes a memory. */
const QUOTES = ['category', 'explain', 'content'];

/** The event without it, as JSON; undefined where there is nothing to take out. */
export function blurEvent(event: string, ids: ReadonlySet<string>): string | undefined {
  const named = [...event.matchAll(/"id":"([^"]+)"/g)].some(([, id]) => ids.has(id!));
  if (!named) return undefined;
  const blurred = JSON.stringify(blur(JSON.parse(event) as JsonValue, ids));
  return blurred === event ? undefined : blurred;
}

function blur(value: JsonValue, ids: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((each) => blur(each, ids));
  if (typeof value !== 'object' || value === null) return value;
  const isForgotten = typeof value.id === 'string' && ids.has(value.id);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isForgotten && QUOTES.includes(key) && typeof each === 'string' ? '' : blur(each as JsonValue, ids),
    ]),
  );
}
