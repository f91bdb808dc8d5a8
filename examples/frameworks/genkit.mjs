// Genkit: a store for snapshots of sessions.
import { InMemorySessionStore } from 'genkit/beta';
import { createClient } from 'keepsake';
import { keepsakeSnapshots } from 'keepsake/genkit';

const client = createClient();
const sessionStore = keepsakeSnapshots({ client, user: 'ada' });
const snapshot = (cups) => ({
  sessionId: 'order 1',
  createdAt: '2026-01-01T00:00:00Z',
  status: 'completed',
  state: { custom: { cups } },
});
for (const store of [sessionStore, new InMemorySessionStore()]) {
  await store.saveSnapshot('first', () => snapshot(1));
  await store.saveSnapshot('first', (current) => snapshot(current.state.custom.cups + 1));
  const { state } = await store.getSnapshot({ snapshotId: 'first' });
  console.log('Cups:', state.custom.cups);
}
await client.close();
