/** Forgetting for good: afterwards not a byte of the text is in any file of the workspace, and the report is right. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/kernel/analysis.ts';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

/** Words that appear nowhere else, in the shapes in which they might be kept: as written, folded, stemmed. */
const FIRST = 'Zanzibarians whispering KRYPTONITE formulations';
const SECOND = 'Quetzalcoatl befriending Żółwiówka xylophonists';
const TAG = 'flibbertigibbets';
const SECRET = 'rumpelstiltskin-gobbledygook';

function traces(...texts: string[]): string[] {
  const words = texts.flatMap((text) => text.split(/[\s-]+/));
  const shapes = words.flatMap((word) => [word, word.toLowerCase(), ...analyze(word)]);
  // Files are compared byte by byte, as Latin-1.
  return [...new Set(shapes.map((shape) => Buffer.from(shape).toString('latin1')))].filter(
    (shape) => shape.length > 4,
  );
}

const ALL = traces(FIRST, SECOND, TAG, SECRET);
const left = (bytes: string): string[] => ALL.filter((trace) => bytes.includes(trace));

describe('forget', () => {
  it('leaves nothing of the text, its older versions, tags and metadata on disk', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const { memory } = client.agent({ name: 'alice' });
    for (let i = 0; i < 50; i++) await memory.add({ content: `an ordinary note number ${i}` });
    const { id } = await memory.add({ content: FIRST, tags: [TAG], metadata: { note: SECRET } });
    await memory.update(id, { content: SECOND });
    await memory.update(id, { content: `${SECOND} once more`, tags: [] });
    await memory.undo(id, { version: 1 });
    await client.close();
    const before = workspace.bytes();
    for (const word of ['Zanzibarians', 'Quetzalcoatl', TAG, SECRET]) expect(before).toContain(word);
    expect(left(before)).toContain('kryptonit');

    const again = workspace.open();
    const erasure = await again.agent({ name: 'alice' }).memory.forget(id);
    expect(erasure).toEqual({
      id,
      characters: FIRST.length,
      versions: 4,
      indexEntries: 1,
      journalErased: true,
      pagesErased: true,
      copiesRedacted: 0,
      remains: [],
    });
    await again.close();
    expect(left(workspace.bytes())).toEqual([]);
    expect(workspace.bytes()).toContain('an ordinary note number 49');
  });

  it('leaves nothing when text was written and forgotten in one go, with the client still open', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const { memory } = client.agent({ name: 'alice' });
    const { id } = await memory.add({
      content: FIRST,
      tags: [TAG],
      metadata: { note: SECRET },
      idempotencyKey: SECRET,
    });
    await memory.search(FIRST);
    await memory.get(id);
    await memory.forget(id);
    // Another process may read the files while this one has them open; that drops no lock of ours.
    const found = spawnSync('grep', ['-raoF', ...ALL.flatMap((trace) => ['-e', trace]), workspace.folder]);
    expect(found).toMatchObject({ status: 1, stdout: Buffer.alloc(0) });
    await client.close();
    expect(left(workspace.bytes())).toEqual([]);
  });

  it('leaves nothing of a text that was expired, pruned or shared', async () => {
    const workspace = testWorkspace();
    const client = workspace.open({ config: { memory: { maxEntries: 1 } } });
    const { memory } = client.agent({ name: 'alice' });
    const expired = await memory.add({ content: FIRST, expiresAt: workspace.clock.now() });
    const shared = await memory.add({ content: SECOND, scope: 'swarm', source: 'knowledge' });
    const pruned = await memory.add({ content: TAG, confidence: 0 });
    await memory.add({ content: 'the strong one' });
    expect((await memory.get(pruned.id)).expiryReason).toBe('maxEntries');
    for (const { id } of [expired, shared, pruned]) await client.memory.forget(id);
    await client.close();
    expect(left(workspace.bytes())).toEqual([]);
  });

  it('is reported, heard, listed as forgotten, and cannot be taken back', async () => {
    const { memory, client, clock } = testAgent();
    const { id } = await memory.add({ content: 'abc' });
    clock.advance(5);
    await memory.forget(id);
    expect(await memory.get(id)).toMatchObject({
      id,
      state: 'forgotten',
      forgottenAt: clock.now(),
      content: '',
      tags: [],
      metadata: {},
      accessCount: 0,
    });
    expect(await memory.list({ state: 'forgotten' })).toMatchObject([{ id }]);
    expect(await client.events.read({ types: ['memory.forgotten'] })).toMatchObject([{ id, agent: 'alice' }]);
    for (const call of [() => memory.undo(id, { version: 1 }), () => memory.update(id, { content: 'x' })]) {
      await expect(call()).rejects.toMatchObject({ code: 'FORGOTTEN' });
    }
    expect(await memory.forget(id)).toMatchObject({ characters: 0, versions: 0, indexEntries: 0 });
    expect(await client.events.read({ types: ['memory.forgotten'] })).toHaveLength(1);
  });

  it('tells when another process is reading, and finishes when asked again', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const { memory } = client.agent({ name: 'alice' });
    const { id } = await memory.add({ content: FIRST });
    const reader = new SqliteDatabase(join(workspace.folder, 'data', 'keepsake.db'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM records').get();
    expect(await memory.forget(id)).toMatchObject({ characters: FIRST.length, journalErased: false });
    expect((await memory.get(id)).content).toBe('');
    reader.exec('COMMIT');
    reader.close();
    expect(await memory.forget(id)).toMatchObject({ journalErased: true, pagesErased: true });
    await client.close();
    expect(left(workspace.bytes())).toEqual([]);
  });

  it('many at once share the work, while others write', async () => {
    const { memory } = testAgent();
    const added = await Promise.all(
      Array.from({ length: 100 }, (_, i) => memory.add({ content: `secret ${i}` })),
    );
    const results = await Promise.all([
      ...added.map(({ id }) => memory.forget(id)),
      ...Array.from({ length: 100 }, (_, i) => memory.add({ content: `other ${i}` })),
    ]);
    for (const result of results.slice(0, 100)) {
      expect(result).toMatchObject({ versions: 1, journalErased: true, pagesErased: true });
    }
    expect(await memory.list({ limit: 1_000 })).toHaveLength(100);
  });
});
