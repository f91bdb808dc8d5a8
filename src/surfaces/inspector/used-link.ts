/** The page behind a link that was used already or is too old: why it does not open, and how to get a new one. */
const BEFORE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This link has already been used · Keepsake</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/inspector.css">
</head>
<body class="alone">
<main id="outside">
<section class="card">
<h1>This link has already been used</h1>
<p>A link to the inspector works once and expires after ten minutes. This one was opened before or has expired; nobody can use it again.</p>
<p>For a new link, run this in the workspace and open the link that it prints:</p>
<pre>`;

const AFTER = `</pre>
<p class="small">If Keepsake is installed in a project only, use <code>npx --no keepsake</code>; in a clone of the repository, use <code>node bin/keepsake.js</code>.</p>
<p class="small">If this browser opened the link itself, its session is still valid: <a href="/">continue to the inspector</a>.</p>
</section>
</main>
</body>
</html>
`;

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * `address`: under which the server was called; the host was checked, so it contains nothing that is special in HTML. A visitor
 * from another machine needs a link with the name that works from there.
 */
export function usedLinkPage(address: string): string {
  const { hostname, origin } = new URL(address);
  return `${BEFORE}keepsake inspect${LOCAL.test(hostname) ? '' : ` --url ${origin}`}${AFTER}`;
}
