/** Figures for Prometheus need a key, unless the configuration opens them to programs on the same machine. */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { ConfigInput } from '../../../src/config/schema.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

async function server(config: ConfigInput = { server: { metrics: 'loopback' } }) {
  const engine = await testWorkspace().open({ config }).open();
  const running = await serve(engine, { port: 0, version: '0' });
  onTestFinished(() => running.stop());
  const key = readFileSync(running.serverKeyFile, 'utf8').trim();
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(running.url + path, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, key };
}

it('a program of this machine needs a key for the figures unless the configuration opens them', async () => {
  const { ask, key } = await server({});
  const refused = await ask('/metrics');
  expect(refused.status).toBe(401);
  expect(refused.text).not.toContain('keepsake_records');
  const allowed = await ask('/metrics', { authorization: `Bearer ${key}` });
  expect(allowed.text).toMatch(/^keepsake_records 0$/m);
});

it('a program of this machine reads the figures, and nothing else', async () => {
  const { ask } = await server();
  const { status, text } = await ask('/metrics');
  expect(status).toBe(200);
  expect(text).toMatch(/^keepsake_records 0$/m);
  expect((await ask('/v1/agents')).status).toBe(401);
  expect((await ask('/v1/memory')).status).toBe(401);
});

it.each([
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '' },
  { forwarded: 'for=203.0.113.7' },
])('a proxy on this machine speaks for others: %j', async (headers) => {
  const { ask, key } = await server();
  const refused = await ask('/metrics', headers);
  expect(refused.status).toBe(401);
  expect(refused.text).not.toContain('keepsake_records');
  // With the key of an admin, wherever it comes from.
  expect((await ask('/metrics', { ...headers, authorization: `Bearer ${key}` })).status).toBe(200);
});
