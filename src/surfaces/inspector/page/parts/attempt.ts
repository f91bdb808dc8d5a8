/** Runs something that may fail, and shows the error where it belongs. */
import { isExpected } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { button } from './controls.ts';
import { toast } from './toasts.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An error in the place where it happened, with a way to try again. */
export function problem(error: unknown, again?: () => unknown): HTMLElement {
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    h('span', null, messageOf(error)),
    again !== undefined && button('Try again', again),
  );
}

interface ErrorPlace {
  readonly place: Element;
  readonly again: () => unknown;
}

/** Returns undefined after an error, which is shown in the given place or else as a toast. */
export async function attempt<T>(work: () => Promise<T>, where?: ErrorPlace): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isExpected(error)) return undefined;
    if (where === undefined) toast(messageOf(error), { kind: 'error' });
    else fill(where.place, problem(error, where.again));
    return undefined;
  }
}
