/** Every call of docs/reference/rest.md is one that a server accepts, with curl and with the SDK. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { curlCall, headersFor, REST_INPUTS, sdkCall } from '../../scripts/api-docs/rest-examples.ts';
import { readPage } from '../../scripts/generate-api-docs.ts';
import { keysCreate } from '../../src/administration/keys.ts';
import { createClient } from '../../src/index.ts';
import { isLongRoute } from '../../src/surfaces/http/describe.ts';
import type { GuardedRoute } from '../../src/surfaces/http/route.ts';
import { ROUTES } from '../../src/surfaces/http/routes.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const routes = ROUTES.filter(
  (route): route is GuardedRoute =>
    route.role !== 'anyone' &&
    route.verb !== undefined &&
    isLongRoute(route) &&
    route.verb.name in REST_INPUTS,
);

/** Ids on the page are invented, so a call may find nothing; it must never be wrong in itself. */
const FINE = [200, 201, 204, 404];

it('every example has a route', () => {
  expect(routes.map(({ verb }) => verb!.name).sort()).toEqual(Object.keys(REST_INPUTS).sort());
});

it('a server accepts every call, with curl and with the SDK', async () => {
  const workspace = testWorkspace();
  const server = await serve(await workspace.open().open(), { port: 0, version: '0.0.0' });
  const apiKey = readFileSync(server.serverKeyFile, 'utf8').trim();
  const { key } = await keysCreate(
    { name: 'lead', role: 'lead', agent: 'my-agent' },
    { workspace: workspace.folder, clock: workspace.clock },
  );
  const client = createClient({ url: server.url, apiKey });
  const lead = createClient({ url: server.url, apiKey: key });
  onTestFinished(async () => {
    await Promise.all([client.close(), lead.close()]);
    await server.stop();
  });
  mkdirSync(join(workspace.folder, 'docs'));
  writeFileSync(join(workspace.folder, 'docs/keys.md'), 'Rotate the keys every 90 days.\n');
  const run = 'run_01m7h5g58pbwph8n6rnddpz5nd';
  const page = readPage('docs/reference/rest.md');

  for (const { path, verb, role } of routes) {
    const caller = role === 'lead' ? lead : client;
    const agent = caller.agent({ name: 'my-agent', role: role === 'lead' ? 'lead' : 'worker' });
    const { name } = verb!;
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${role === 'lead' ? key : apiKey}`,
        'content-type': 'application/json',
        ...headersFor(verb!),
      },
      body: JSON.stringify(REST_INPUTS[name]),
    });
    expect([name, FINE.includes(response.status) ? 'fine' : await response.text()]).toEqual([name, 'fine']);

    const code = sdkCall(verb!);
    expect(page).toContain(`\`\`\`sh curl\n${curlCall(path, verb!)}\n\`\`\``);
    if (code === undefined) continue;
    expect(page).toContain(`\`\`\`ts example\n${code}\n\`\`\``);
    const call = new Function('client', 'agent', 'run', `return (async () => { ${code} })();`);
    const failure = await call(caller, agent, run).then(
      () => 'fine',
      (error: { code?: string; message: string }) => (error.code === 'NOT_FOUND' ? 'fine' : error.message),
    );
    expect([code, failure]).toEqual([code, 'fine']);
  }
});
