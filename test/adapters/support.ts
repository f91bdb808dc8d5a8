/** Clients for tests of adapters: on a workspace of this process, and on a server. */
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

export function temporaryClient(): Client {
  return testWorkspace().open();
}

export async function remoteClient(): Promise<Client> {
  const engine = await testWorkspace().open().open();
  const server = await serve(engine, { port: 0, version: '0.0.0' });
  const apiKey = readFileSync(server.serverKeyFile, 'utf8').trim();
  const client = createClient({ url: server.url, apiKey });
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  return client;
}
