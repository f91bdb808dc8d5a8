/** Notes that any program writes are found; those that are removed are not. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchNotes } from '../../../src/surfaces/notes/notes-watcher.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

async function watching(agent?: string) {
  const { folder, open } = testWorkspace();
  const client = open({ config: { models: { embedding: 'none' } } });
  const engine = await client.open();
  const stop = new AbortController();
  const indexed: string[] = [];
  const problems: unknown[] = [];
  const watched = watchNotes({
    engine,
    agent,
    signal: stop.signal,
    pollMs: 25,
    onIndexed: (name) => void indexed.push(name),
    onProblem: (_name, error) => void problems.push(error),
  });
  onTestFinished(async () => {
    stop.abort();
    await watched;
  });
  const files = async (name: string) => {
    const records = await client.agent({ name }).memory.list({ source: 'file_index' });
    return records.map(({ content, metadata }) => `${String(metadata.path)}: ${content.trim()}`).sort();
  };
  const eventually = (name: string, expected: unknown) =>
    vi.waitFor(async () => expect(await files(name)).toEqual(expected), { timeout: 10_000, interval: 20 });
  return { folder, eventually, indexed, problems, stop, watched, notes: join(folder, 'agents/ann/notes') };
}

describe('notes that are watched', () => {
  it('are found when written, changed, renamed and removed, in folders old and new', async () => {
    const { notes, eventually, problems } = await watching();
    // Not even the folder of the agent is there yet.
    mkdirSync(join(notes, 'deep'), { recursive: true });
    writeFileSync(join(notes, 'one.md'), 'First draft.\n');
    writeFileSync(join(notes, 'deep/two.md'), 'Second note.\n');
    writeFileSync(join(notes, 'other.txt'), 'No note.\n');
    const two = expect.stringMatching(/two\.md: Second note\.$/);
    await eventually('ann', [two, expect.stringMatching(/one\.md: First draft\.$/)]);
    writeFileSync(join(notes, 'one.md'), 'Final text.\n');
    await eventually('ann', [two, expect.stringMatching(/one\.md: Final text\.$/)]);
    renameSync(join(notes, 'one.md'), join(notes, 'uno.md'));
    await eventually('ann', [two, expect.stringMatching(/uno\.md: Final text\.$/)]);
    rmSync(join(notes, 'deep'), { recursive: true });
    await eventually('ann', [expect.stringMatching(/uno\.md: Final text\.$/)]);
    rmSync(join(notes, '..'), { recursive: true });
    await eventually('ann', []);
    expect(problems).toEqual([]);
  });

  it('of other agents are left alone when one was named', async () => {
    const { folder, notes, eventually, indexed } = await watching('ann');
    for (const path of [join(folder, 'agents/ben/notes'), notes]) {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'a.md'), 'Text.\n');
    }
    await eventually('ann', [expect.stringContaining('a.md')]);
    expect(new Set(indexed)).toEqual(new Set(['ann']));
  });

  it('are no longer watched once it is told to stop', async () => {
    const { stop, watched } = await watching();
    stop.abort();
    await expect(watched).resolves.toBeUndefined();
  });
});
