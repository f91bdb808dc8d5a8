/** How fast memories become durable, against the disk's own speed in the same run. */
import { createClient } from '../../src/index.ts';
import { median, microseconds, rawAppend, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

export const durableAdds: Suite = {
  name: 'durable-adds',
  why: `Why aims are missed: the faster a disk syncs, the more of an add is what the processor does for it, guard, vector, words and some twenty pages
of the database for each group ([0015](design/0015-what-a-group-writes-once.md)). Many at once share the sync, but not that.`,
  question: 'Durable adds per second, as a ratio to a raw 4 KiB append + fdatasync',
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const raw = rawAppend(folder.path);
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const { memory } = client.agent({ name: 'bench' });
    const text = textMaker();
    const add = () => memory.add({ content: text() });
    await microseconds(200, add);
    const rounds = quick ? 3 : 9;
    const times = { raw: [] as number[], single: [] as number[], concurrent: [] as number[] };
    // Interleaved, so that a slow moment of the machine hits all three alike.
    for (let i = 0; i < rounds; i++) {
      progress(`round ${i + 1} of ${rounds}`);
      times.raw.push(await microseconds(300, raw.write));
      times.single.push(await microseconds(300, add));
      times.concurrent.push(
        (await microseconds(60, () => Promise.all(Array.from({ length: 32 }, add)))) / 32,
      );
    }
    await client.close();
    raw.close();
    folder.remove();
    const rawTime = median(times.raw);
    const row = (what: string, values: readonly number[]) => ({
      what,
      'µs each': round(median(values)),
      'per second': Math.round(1e6 / median(values)),
      'ratio to raw': round(rawTime / median(values)),
    });
    return {
      rows: [
        row('raw append + fdatasync', times.raw),
        row('add, one at a time', times.single),
        row('add, 32 at once', times.concurrent),
      ],
      headline: [
        { name: 'add, one at a time', value: round(rawTime / median(times.single)), aim: '≥ 0.9' },
        { name: 'add, 32 at once', value: round(rawTime / median(times.concurrent)), aim: '≥ 12' },
      ],
    };
  },
};
