/** Two people use the app at once: each has threads and a memory of their own, and erasing one leaves the other. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from 'keepsake';
import { createApp } from './app.ts';
import { offlineModel } from './offline-model.ts';

const workspace = mkdtempSync(join(tmpdir(), 'chat-app-'));
const client = createClient({ workspace });
const app = createApp(client, offlineModel);
after(async () => {
  await client.close();
  rmSync(workspace, { recursive: true });
});

const as =
  (user: string) =>
  (path: string, method = 'GET', body?: string) =>
    app.request(path, {
      method,
      headers: { cookie: `user=${encodeURIComponent(user)}` },
      ...(body === undefined ? {} : { body }),
    });
const dana = as('dana@example.com');
const erik = as('auth0|5f7c');

/** The review of an exchange goes on after its answer. */
async function learned(count: number): Promise<string[]> {
  for (;;) {
    const { memories } = (await (await dana('/api/memory')).json()) as { memories: { content: string }[] };
    if (memories.length >= count) return memories.map(({ content }) => content);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('nobody gets in without a name', async () => {
  assert.equal((await app.request('/api/threads')).status, 401);
  const { headers } = await app.request('/login', { method: 'POST', body: '{"user":"dana"}' });
  assert.match(headers.get('set-cookie') ?? '', /^user=dana;/);
  assert.match(await (await app.request('/')).text(), /<title>Chat/);
});

test('answers are streamed, kept in their thread, and learned from', async () => {
  assert.equal(
    await (await dana('/api/threads/trip', 'POST', 'My hotel in Lisbon is the Alfama.')).text(),
    'I know nothing about that yet.',
  );
  const messages = (await (await dana('/api/threads/trip')).json()) as { role: string; content: string }[];
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['User', 'assistant'],
  );
  assert.ok((await learned(1)).includes('My hotel in Lisbon is the Alfama.'));
});

test('what was said in one thread helps in the next, and is nobody else’s', async () => {
  const question = 'Which hotel in Lisbon did I book?';
  assert.match(await (await dana('/api/threads/packing', 'POST', question)).text(), /the Alfama/);
  assert.equal(
    await (await erik('/api/threads/packing', 'POST', question)).text(),
    'I know nothing about that yet.',
  );
  const recalled = await (await dana(`/api/recall?q=${encodeURIComponent(question)}`)).text();
  assert.match(recalled, /the Alfama/);
});

test('an archived thread says so', async () => {
  await dana('/api/threads/trip/archive', 'POST');
  const threads = (await (await dana('/api/threads')).json()) as {
    thread: string;
    archivedAt: number | null;
  }[];
  assert.deepEqual(threads.map(({ thread, archivedAt }) => [thread, archivedAt !== null]).sort(), [
    ['packing', false],
    ['trip', true],
  ]);
});

test('one memory can be forgotten, and everything erased with a receipt', async () => {
  const { memories } = (await (await dana('/api/memory')).json()) as { memories: { id: string }[] };
  assert.equal((await dana(`/api/memory/${memories[0]!.id}`, 'DELETE')).status, 200);
  assert.equal((await dana('/api/memory/mem_unknown', 'DELETE')).status, 404);
  const receipt = (await (await dana('/api/me', 'DELETE')).json()) as {
    signature: string;
    layers: Record<string, { erased: number }>;
  };
  assert.equal(receipt.layers.messages!.erased, 4);
  assert.ok(receipt.signature);
  assert.deepEqual(await (await dana('/api/threads')).json(), []);
  assert.equal(((await (await erik('/api/threads')).json()) as object[]).length, 1);
});
