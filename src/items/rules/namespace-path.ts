/** Encodes a namespace as text whose sort order keeps its descendants together. */
import type { Namespace } from '../../ports/item-store.ts';

const END = '/';
/** The character after END: no encoded label has one that sorts between the two. */
const AFTER_END = '0';

/** `['a b', 'c']` → `a%20b/c/`. */
export const namespacePath = (namespace: Namespace): string =>
  namespace.map((label) => encodeURIComponent(label) + END).join('');

export const namespaceOf = (path: string): string[] => path.split(END).slice(0, -1).map(decodeURIComponent);

/** The texts from `from` up to, but not including, `to` are the namespace and all below it; undefined means every one. */
export function pathRange(namespace: Namespace): { readonly from: string; readonly to: string } | undefined {
  if (namespace.length === 0) return undefined;
  const from = namespacePath(namespace);
  return { from, to: from.slice(0, -1) + AFTER_END };
}
