/** The page of the inspector as the server sends it: a frame that its script fills; nothing in it comes from memory. */

/** Drawn by us on a field of 20 by 20, one path each. */
const ICONS = {
  memory: 'M5 3h10v14l-5-4-5 4z',
  sections: 'M4 4h12M4 8h8M4 12h12M4 16h6',
  conversations: 'M3 4h14v9H9l-4 3v-3H3z',
  sessions: 'M5 2h10v16l-2.5-2-2.5 2-2.5-2L5 18zM8 6h4M8 10h4',
  swarms:
    'M10 4.5v3M6 14l2.5-3M14 14l-2.5-3M8 3a2 2 0 1 0 4 0a2 2 0 1 0-4 0M3 15.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M13 15.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M8 9.5a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  events: 'M2 10h4l2-6 4 12 2-6h4',
  guard: 'M10 2l7 3v5c0 4-3 6.5-7 8-4-1.5-7-4-7-8V5z',
  overview: 'M4 17V9M10 17V3M16 17v-6',
  users: 'M7 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3.5 17c0-3.5 3-5 6.5-5s6.5 1.5 6.5 5',
  keys: 'M3 13a4 4 0 1 0 8 0a4 4 0 1 0-8 0M10 10l7-7M14 6l2.5 2.5',
} as const;

/** The views of the inspector; the script has one of each. */
export type Tab = keyof typeof ICONS;

const title = (tab: string): string => `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`;

const icon = (path: string): string =>
  `<svg viewBox="0 0 20 20" class="icon" aria-hidden="true"><path d="${path}"/></svg>`;

function link([tab, path]: [tab: string, path: string]): string {
  const badge = tab === 'guard' ? '<span id="waiting" class="badge" data-waiting hidden></span>' : '';
  return `<a href="#${tab}" data-tab="${tab}">${icon(path)}<span>${title(tab)}</span>${badge}</a>`;
}

export const INSPECTOR_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Keepsake</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/inspector.css">
<script type="module" src="/assets/app.js"></script>
</head>
<body>
<header>
<a class="brand" href="#memory"><svg viewBox="0 0 20 20" class="brand-mark" aria-hidden="true"><path d="${ICONS.memory}"/></svg>Keepsake</a>
<button id="menu" type="button" aria-expanded="false" aria-controls="tabs">Menu<span class="badge" data-waiting hidden></span></button>
<nav id="tabs" aria-label="Views">
${Object.entries(ICONS).map(link).join('\n')}
</nav>
<div class="foot">
<span id="live" class="live" role="status">connecting</span>
<span id="who" class="small" hidden></span>
<button id="sign-out" type="button" class="quiet" hidden>Sign out</button>
<button id="help" type="button" class="quiet">Shortcuts <kbd>?</kbd></button>
<a href="/guide" class="quiet-link">Docs</a>
<a href="/docs" class="quiet-link">API</a>
</div>
</header>
<main id="main" tabindex="-1">
<noscript>The inspector needs JavaScript. <a href="/docs">The API</a> works without it.</noscript>
</main>
<div id="outside" hidden></div>
<div id="toasts" aria-live="polite"></div>
</body>
</html>
`;
