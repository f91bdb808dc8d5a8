/** Notices: limitations of one result, attached to it so that every surface can show them. */

/** A list that also says what made it weaker than usual. */
export type WithNotices<List> = List & {
  /** For example that the search had to go by words only; empty when nothing is wrong. */
  readonly notices: readonly string[];
};

/** Not enumerable, so that a list stays a plain list as JSON, in loops and in comparisons. */
export function withNotices<Item>(
  items: readonly Item[],
  notices: readonly string[],
): WithNotices<readonly Item[]> {
  Object.defineProperty(items, 'notices', { value: notices, enumerable: false });
  return items as WithNotices<readonly Item[]>;
}

export function noticesOf(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('notices' in answer)) return [];
  const { notices } = answer;
  return Array.isArray(notices) ? (notices as readonly string[]) : [];
}
