/** The API as a page for people, made from the same table as the server itself. Routes open and close without a script. */
import { answerOf, type Field, fieldsOf, groupOf } from '../describe.ts';
import type { GuardedRoute, Route } from '../route.ts';
import { escapeHtml, htmlPage } from './html.ts';

/** Backticks are the only mark-up that our descriptions use. */
const words = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const title = (group: string): string => `${group.charAt(0).toUpperCase()}${group.slice(1)}`;

/** The address, with the parts that vary told apart. */
const address = (path: string): string =>
  escapeHtml(path).replaceAll(/:(\w+)/g, '<span class="part">:$1</span>');

function row({ name, value, meaning, isRequired }: Field): string {
  const mark = isRequired ? ' <b class="required">required</b>' : '';
  return `<tr><td><code>${escapeHtml(name)}</code>${mark}</td><td>${words(value)}</td><td>${words(meaning)}</td></tr>`;
}

function fields(route: GuardedRoute): string {
  const all = fieldsOf(route);
  if (all.length === 0) return '';
  const where = route.method === 'GET' || route.method === 'DELETE' ? 'In the query' : 'In the body, as JSON';
  return `<h4>${where}</h4><div class="scroll"><table><thead><tr><th>field</th><th>value</th><th>meaning</th></tr></thead><tbody>${all.map(row).join('')}</tbody></table></div>`;
}

function body(route: Route): string {
  if (route.role === 'anyone') return `<p>${words(route.summary)} Needs no key.</p>`;
  const answer = answerOf(route);
  return `<p>${words(route.verb?.description ?? route.summary)}</p>${fields(route)}${answer === '' ? '' : `<p class="small">${words(answer)}</p>`}`;
}

function entry(route: Route): string {
  const id = `${route.method} ${route.path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `<details class="route" id="${id}"><summary><b class="method ${route.method.toLowerCase()}">${route.method}</b> <code>${address(route.path)}</code><span class="does">${words(route.summary)}</span><span class="role">${route.role}</span></summary><div class="route-body">${body(route)}</div></details>`;
}

function example(origin: string): string {
  return `curl -s ${origin}/v1/memory/search \\
  -H "Authorization: Bearer $KEEPSAKE_KEY" -H 'Content-Type: application/json' \\
  -d '{"query": "how long should answers be?", "limit": 3}'`;
}

export function docsPage(routes: readonly Route[], version: string, origin: string): string {
  const groups = Map.groupBy(routes, groupOf);
  // What a newcomer looks for stands first; the server's own addresses stand last.
  const names = [...groups.keys()].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const links = names.map(
    (name) => `<a href="#${name}">${title(name)} <small>${groups.get(name)!.length}</small></a>`,
  );
  const sections = names.map(
    (name) =>
      `<section id="${name}"><h2>${title(name)}</h2>${groups.get(name)!.map(entry).join('\n')}</section>`,
  );
  return htmlPage(
    'Keepsake API',
    `<nav aria-label="Groups of routes"><a class="brand" href="/"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M5 3h10v14l-5-4-5 4z"/></svg>Keepsake</a>${links.join('')}</nav>
<main>
<h1>Keepsake API</h1>
<p class="small">Version ${escapeHtml(version)} · for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1) · <a href="/">inspector</a></p>
<p>Send <code>Authorization: Bearer &lt;key&gt;</code>. <code>keepsake keys create laptop --role worker --agent my-agent</code> makes a
key; one that is bound to no agent names one with the header <code>Keepsake-Agent</code> or with <code>?agent=</code>. Beside each
route stands the least role that may use it: reader, worker, lead or admin.</p>
<pre>${escapeHtml(example(origin))}</pre>
<p>A failure is <code>{ "error": { "code", "message", "hint" } }</code>; with 429 and 503 comes <code>Retry-After</code>. Answers that
have a version or a hash carry it as <code>ETag</code>, and <code>If-Match</code> makes a change conditional: 412 means that
somebody was faster. Long lists have <code>Link: &lt;…&gt;; rel="next"</code>.</p>
${sections.join('\n')}
</main>`,
  );
}

const FIRST = ['memory', 'sections', 'log', 'archive', 'conversation', 'knowledge', 'notes'];

function rank(group: string): number {
  const at = FIRST.indexOf(group);
  return group === 'server' ? 99 : at < 0 ? FIRST.length : at;
}
