/** Names and values below each other, for one thing shown in full. */
import type { Paint } from './paint.ts';
import { padEnd } from './width.ts';

/** A fact without a value is left out. */
export type Fact = readonly [name: string, value: string | undefined];

export function factLines(facts: readonly Fact[], nameWidth: number, paint: Paint): string[] {
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${paint('dim', padEnd(name, nameWidth))}${value}`);
}
