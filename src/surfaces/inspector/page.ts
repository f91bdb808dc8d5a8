/** The one page of the inspector: a frame that its scripts fill; nothing in it comes from memory. */

export const TABS = ['memory', 'events', 'guard', 'sessions', 'overview'] as const;

const title = (tab: string): string => `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`;

export const INSPECTOR_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Keepsake</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/inspector.css">
<script type="module" src="/assets/app.js"></script>
</head>
<body>
<header>
<strong class="brand">Keepsake</strong>
<nav id="tabs" aria-label="Parts of the inspector">
${TABS.map((tab) => `<a href="#${tab}" data-tab="${tab}">${title(tab)}</a>`).join('\n')}
</nav>
<span id="live" class="live" role="status">connecting</span>
</header>
<p id="notice" class="notice" role="alert" hidden></p>
<main id="main" tabindex="-1">
<noscript>The inspector needs JavaScript. <a href="/docs">The API</a> works without.</noscript>
</main>
<footer><kbd>/</kbd> search <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> back · <a href="/docs">API</a></footer>
</body>
</html>
`;
