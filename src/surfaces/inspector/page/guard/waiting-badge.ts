/** The number of refused writes that wait for a decision, beside the tab of the guard and, on a small screen, on the button that opens the menu. */
import { call } from '../call.ts';
import { fill } from '../dom/elements.ts';
import { onEvent } from '../feed/feed.ts';
import { paced } from '../paced.ts';

const PAUSE_MS = 500;
const MOST = 100;

/** To be called when a refused write was released or deleted. */
export async function countWaiting(): Promise<void> {
  const body = { limit: MOST, state: 'waiting' } as const;
  const waiting = await call('POST /v1/guard/list', { body }).catch(() => undefined);
  if (waiting === undefined) return;
  const number = waiting.length === MOST ? `${MOST - 1}+` : waiting.length;
  for (const badge of document.querySelectorAll<HTMLElement>('[data-waiting].badge')) {
    badge.hidden = waiting.length === 0;
    fill(badge, number);
    badge.setAttribute('aria-label', `${number} waiting`);
  }
}

/** Counts again whenever a write is refused. */
export function followWaiting(): void {
  const recount = paced(countWaiting, PAUSE_MS);
  onEvent(({ type }) => {
    if (type === 'memory.blocked') recount();
  });
}
