/** A process that remembers things and embeds them slowly until it is killed; says the id of all that was acknowledged. */
import { writeSync } from 'node:fs';
import { createClient } from '../../../src/index.ts';
import { clockAhead } from './clock-ahead.ts';
import { hashModel } from './hash-model.ts';

const [workspace = '', name = '', aheadMs = '0'] = process.argv.slice(2);
const client = createClient({
  workspace,
  embedding: hashModel(4),
  clock: clockAhead(Number(aheadMs)),
  config: { memory: { maxEntries: 100_000 } },
});
const { memory } = client.agent({ name: 'alice' });
const { embedder } = await client.open();

for (let i = 0; ; i++) {
  const added = await Promise.all(
    [0, 1, 2, 3].map((j) => memory.add({ content: `memory number${i} part${j} of child${name}` })),
  );
  for (const { id } of added) writeSync(1, `${id}\n`);
  // Changes and forgets texts that may be under way to the model.
  if (i % 3 === 1) await memory.update(added[0]!.id, { content: `changed number${i} of child${name}` });
  if (i % 3 === 2) await memory.forget(added[1]!.id);
  if (i % 5 === 4) await embedder.drain({ limit: 6 });
}
