/** The API as a page for people, made from the same table as the server itself. */
import { inputSchema } from '../query-input.ts';
import type { GuardedRoute, Route } from '../route.ts';
import { escapeHtml, htmlPage } from './html.ts';

function fields({ operation }: GuardedRoute): string {
  if (operation === undefined) return '';
  const { properties = {}, required = [] } = inputSchema(operation.input);
  const rows = Object.entries(properties).map(([name, { description }]) => {
    const mark = (required as string[]).includes(name) ? ' <b>required</b>' : '';
    return `<tr><td><code>${escapeHtml(name)}</code>${mark}</td><td>${escapeHtml(String(description ?? ''))}</td></tr>`;
  });
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
}

function section(route: Route): string {
  const head = `<h3><code>${route.method} ${escapeHtml(route.path)}</code> <small>${route.role}</small></h3>`;
  if (route.role === 'anyone') return `${head}<p>${escapeHtml(route.summary)}</p>`;
  return `${head}<p>${escapeHtml(route.operation?.description ?? route.summary)}</p>${fields(route)}`;
}

export function docsPage(routes: readonly Route[], version: string): string {
  return htmlPage(
    'Keepsake API',
    `<h1>Keepsake API</h1>
<p>Version ${escapeHtml(version)}. For programs: <a href="/openapi.json">openapi.json</a>.
Send <code>Authorization: Bearer &lt;key&gt;</code>; keys that are bound to no agent name one with
<code>Keepsake-Agent</code>. Beside each route stands the least role that may use it.</p>
${routes.map(section).join('\n')}`,
  );
}
