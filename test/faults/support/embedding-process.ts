/** A process that writes records and vectors until it is killed; it says when it has begun. */
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { addRecord, recordDraft, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../src/testing/index.ts';

const [file, seed] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const model = 'test:model@1';
const vector = () => Float32Array.from({ length: 16 }, () => random.next() - 0.5);
const { records } = await openSqlite({ file: file! });
const agent = `agent-${seed}`;
const ids: string[] = [];

async function step(i: number): Promise<void> {
  const draft = recordDraft({ agent, id: `mem_${seed}_${i}`, content: `text ${seed} ${i}` });
  const { id } = await addRecord(records, {
    ...draft,
    ...(random.below(2) === 0 ? { embedding: { model, vector: vector() } } : {}),
  });
  ids.push(id);
  if (random.below(3) === 0)
    await updateRecord(records, random.pick(ids), { content: `other ${seed} ${i}` }, undefined, {
      agent,
      role: 'worker',
    });
}

for (let i = 0; ; i += 20) {
  await Promise.all(Array.from({ length: 20 }, (_, j) => step(i + j)));
  const waiting = await records.vectors.waiting(model, 15);
  await records.vectors.save(
    model,
    waiting.map(({ id, version }) => ({ id, version, vector: vector() })),
  );
  if (i === 0) console.log('begun');
}
