/** Starts the chat app. With MODEL and a key it talks to a provider, otherwise to the offline model. */
import { serve } from '@hono/node-server';
import { createClient } from 'keepsake';
import { createApp } from './app.ts';
import { offlineModel } from './offline-model.ts';

const client = createClient({ workspace: process.env.WORKSPACE ?? './memory' });
const app = createApp(client, process.env.MODEL ?? offlineModel);
const port = Number(process.env.PORT ?? 3000);
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ({ port: used }) =>
  console.log(`http://127.0.0.1:${used}`),
);

process.once('SIGINT', () => {
  server.close();
  // Waits for reviews of sessions that are still running.
  void client.close();
});
