/** `agents.list`: names and counts, for those who look after the workspace. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';

it('shows the owner and a lead every agent, and tells a worker no', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-agents-'));
  const client = createClient({ workspace });
  onTestFinished(async () => {
    await client.close();
    rmSync(workspace, { recursive: true, force: true });
  });
  await client.agent({ name: 'zoe' }).memory.add({ content: 'one' });
  await client.agent({ name: 'adam' }).memory.add({ content: 'two' });
  const engine = await client.open();
  const list = async (viewer: { agent?: string; role: 'admin' | 'lead' | 'worker' | 'reader' }) =>
    callVerb(verbs.agentsList, engine, {}, { viewer, via: 'cli' });

  for (const viewer of [{ role: 'admin' } as const, { agent: 'zoe', role: 'lead' } as const]) {
    expect(await list(viewer)).toMatchObject([
      { name: 'adam', facts: 1 },
      { name: 'zoe', facts: 1 },
    ]);
  }
  for (const role of ['worker', 'reader'] as const) {
    await expect(list({ agent: 'zoe', role })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});
