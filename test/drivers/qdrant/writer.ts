/** A process that writes and changes memories until it is killed; tells of each one once it is acknowledged. */
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { createIds } from '../../../src/kernel/ids.ts';
import { recordDraft, START } from '../../../src/testing/conformance/drafts.ts';

const [file, url, prefix] = process.argv.slice(2) as [string, string, string];
const storage = withQdrant(await openSqlite({ file }), { url, prefix });
const ids = createIds({ now: () => Date.now() });
const viewer = { agent: 'alice', role: 'worker' } as const;
const context = { at: START, viewer, via: 'sdk' } as const;
const embedding = () => ({
  model: 'test:plane@1',
  vector: Float32Array.of(Math.random() - 0.5, Math.random() - 0.5),
});

for (let i = 0; ; i++) {
  const id = ids('mem');
  const draft = recordDraft({ id, content: `text ${id}`, embedding: embedding() });
  await storage.records.add(draft, { maxFacts: 1_000_000 }, context);
  process.stdout.write(`added ${id}\n`);
  if (i % 3 === 1) {
    const patch = { content: `other ${id}`, embedding: embedding() };
    await storage.records.update(id, patch, { maxFacts: 1_000_000 }, context);
  }
  if (i % 5 === 2) {
    await storage.records.forget(id, context);
    process.stdout.write(`forgot ${id}\n`);
  }
}
