/** What the page shows while the browser has no session: two ways in. */
import { byId, fill, h } from './dom/elements.ts';
import { command } from './parts/empty.ts';
import { signInForm } from './sign-in.ts';

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

function explanation(notice?: string): HTMLElement {
  const { hostname, origin } = location;
  return h(
    'section',
    { class: 'card' },
    h('h1', null, 'Sign in'),
    h('h2', null, 'With a key'),
    signInForm(notice),
    h('h2', null, 'With a link'),
    h(
      'p',
      null,
      'On the machine of the server, run this command in the workspace and open the printed link in this browser. A link works once and expires after ten minutes. The session lasts twelve hours, or until the server stops.',
    ),
    command(`keepsake inspect${LOCAL.test(hostname) ? '' : ` --url ${origin}`}`),
    h(
      'p',
      { class: 'small' },
      'If Keepsake is installed in a project only, use "npx --no keepsake"; in a clone of the repository, use "node bin/keepsake.js".',
    ),
    h(
      'p',
      { class: 'small' },
      'This page then continues by itself. It misses no event and keeps your unsaved text.',
    ),
  );
}

/** The view that was shown stays underneath, as it is. `notice`: why the session ended. */
export function setSession(hasSession: boolean, notice?: string): void {
  const outside = byId('outside');
  outside.hidden = hasSession;
  byId('main').hidden = !hasSession;
  if (hasSession) fill(outside);
  else if (outside.childElementCount === 0 || notice !== undefined) fill(outside, explanation(notice));
}
