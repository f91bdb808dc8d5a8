/** Moves the focus through a list by the arrow keys, or by j and k. */

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Returns whether the key was one of them. From the first item, up goes to `before`. */
export function moveInList(list: Element, { key }: KeyboardEvent, before?: HTMLElement): boolean {
  const step = STEPS[key];
  const items = [...list.querySelectorAll<HTMLElement>('a[data-item], button[data-item]')];
  if (step === undefined || items.length === 0) return false;
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at === 0 && step < 0 && before !== undefined) before.focus();
  else items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + step))]?.focus();
  return true;
}
