/** The note of how far a database came must never harm the process that writes it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('goes on without a note where none can be written', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const workspace = temporaryFolder();
  // Neither a file nor something that can be removed as one; root could write into any folder.
  mkdirSync(join(workspace, 'data', 'keepsake.db.seen.new'), { recursive: true });
  const client = createClient({ workspace, config: { models: { embedding: 'none' } } });
  const { memory } = client.agent({ name: 'alice' });
  await memory.add({ content: 'Prefers tea.' });
  expect(() => vi.advanceTimersByTime(1_000)).not.toThrow();
  await client.close();
  const again = createClient({ workspace, config: { models: { embedding: 'none' } } });
  expect(await again.agent({ name: 'alice' }).memory.list()).toHaveLength(1);
  await again.close();
});
