/** What the page shows while the browser has no session. */
import { byId, fill, h } from './dom/elements.ts';
import { command } from './parts/empty.ts';

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

function explanation(): HTMLElement {
  const { hostname, origin } = location;
  return h(
    'section',
    { class: 'card' },
    h('h1', null, 'This browser has no session'),
    h(
      'p',
      null,
      'Open the inspector with the link that the server prints when it starts. A link works once and expires after ten minutes; its session lasts twelve hours, or until the server stops.',
    ),
    h('p', null, 'For a new link, run this in the workspace and open the link in this browser:'),
    command(`keepsake inspect${LOCAL.test(hostname) ? '' : ` --url ${origin}`}`),
    h(
      'p',
      { class: 'small' },
      'If Keepsake is installed in a project only, use "npx keepsake"; in a clone of the repository, use "node bin/keepsake.js".',
    ),
    h(
      'p',
      { class: 'small' },
      'This page then continues by itself: no event is missed, and your unsaved text is still here.',
    ),
  );
}

/** The view that was shown stays underneath, as it is. */
export function setSession(hasSession: boolean): void {
  const outside = byId('outside');
  outside.hidden = hasSession;
  byId('main').hidden = !hasSession;
  if (!hasSession && outside.childElementCount === 0) fill(outside, explanation());
}
