/** The page that a link shows which cannot let anybody in any more: why, and how to get a new one. */
const BEFORE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This link was used already · Keepsake</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/inspector.css">
</head>
<body class="alone">
<main id="outside">
<section class="card">
<h1>This link was used already</h1>
<p>Each link to the inspector works once, for ten minutes. This one was opened before, or is older than that; nobody else can use it either.</p>
<p>For a new one, run this where the workspace is, and open what it prints:</p>
<pre>`;

const AFTER = `</pre>
<p class="small">Where only a project has the package, write <code>npx keepsake</code>; in a clone of the repository, <code>node bin/keepsake.js</code>.</p>
<p class="small">If this browser opened the link itself, its session goes on: <a href="/">continue to the inspector</a>.</p>
</section>
</main>
</body>
</html>
`;

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * `address`: under which the server was called; the host was checked, so it holds nothing that HTML would mind. Whoever came from
 * another machine needs a link with the name that works from there.
 */
export function usedLinkPage(address: string): string {
  const { hostname, origin } = new URL(address);
  return `${BEFORE}keepsake inspect${LOCAL.test(hostname) ? '' : ` --url ${origin}`}${AFTER}`;
}
