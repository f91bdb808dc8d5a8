/** Who uses the page: shown at its edge for those who signed in with a key, who see only the views that they may use. */
import type { Identity } from './api.ts';
import { call } from './call.ts';
import { byId, fill } from './dom/elements.ts';
import { storedKey } from './key.ts';

/** Views whose routes need an admin. */
const OF_ADMINS = ['guard', 'overview', 'users', 'keys'];

function describe({ role, agent, user }: Identity): string {
  return [role, agent !== null && `agent ${agent}`, user !== null && `user ${user}`]
    .filter(Boolean)
    .join(', ');
}

/** Asked whenever the connection begins. Returns whether it is an admin. */
export async function identify(): Promise<boolean> {
  const who = await call('GET /v1/whoami').catch(() => undefined);
  if (who === undefined) return false;
  const isAdmin = who.role === 'admin';
  const hasKey = storedKey() !== undefined;
  const place = byId('who');
  place.hidden = !hasKey;
  fill(place, describe(who));
  byId('sign-out').hidden = !hasKey;
  for (const tab of document.querySelectorAll<HTMLElement>('#tabs a')) {
    tab.hidden = !isAdmin && OF_ADMINS.includes(tab.dataset.tab ?? '');
  }
  return isAdmin;
}
