/** What the guard costs: reading a text, and its part of a durable write. */
import { createGuard } from '../../src/guard/index.ts';
import { createClient } from '../../src/index.ts';
import { median, microseconds, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

const guard = createGuard({ secrets: 'redact' });

/** The median of several goes at the same text. */
async function inspection(content: string, goes: number): Promise<number> {
  const subject = { content, category: 'fact', tags: [], origin: 'web' } as const;
  const times: number[] = [];
  for (let i = 0; i < goes; i++) times.push(await microseconds(20, () => guard.inspect(subject)));
  return median(times);
}

/** By turns, so that whatever slows the machine down slows both. */
async function writes(rounds: number): Promise<{ readonly with: number; readonly without: number }> {
  const folders = [temporaryFolder(), temporaryFolder()];
  const text = textMaker(3);
  const memories = folders.map(({ path }, i) => {
    const config = { guard: { enabled: i === 0 }, memory: { maxEntries: 1_000_000 } };
    const client = createClient({ workspace: path, config });
    return { client, memory: client.agent({ name: 'bench' }).memory };
  });
  const times: [number[], number[]] = [[], []];
  for (let i = -20; i < rounds; i++) {
    for (const [which, { memory }] of memories.entries()) {
      const took = await microseconds(1, () => memory.add({ content: text() }));
      if (i >= 0) times[which as 0 | 1].push(took);
    }
  }
  await Promise.all(memories.map(({ client }) => client.close()));
  for (const folder of folders) folder.remove();
  return { with: median(times[0]), without: median(times[1]) };
}

export const guardCost: Suite = {
  name: 'guard-cost',
  why: 'Why aims are missed: many adds at once share one sync of the disk, so what is left is the processor, and the guard is a good part of that.',
  question:
    'What the guard costs per write, by the length of the text, and as a ratio to the same write without it',
  async run({ quick, progress }) {
    const text = textMaker();
    const goes = quick ? 20 : 100;
    const plain = text(15);
    const texts: Readonly<Record<string, string>> = {
      [`a memory of ${plain.length} characters`]: plain,
      '2,000 characters': text(400).slice(0, 2_000),
      '2,000 characters with a text in base64': `${text(300).slice(0, 1_500)} ${Buffer.from(text(60)).toString('base64').slice(0, 500)}`,
      '20,000 characters': text(4_000).slice(0, 20_000),
    };
    const rows: Row[] = [];
    for (const [what, content] of Object.entries(texts)) {
      progress(what);
      rows.push({ what, 'guard, µs': round(await inspection(content, goes)) });
    }
    progress('writes');
    const { with: guarded, without } = await writes(quick ? 60 : 300);
    return {
      rows,
      headline: [
        {
          name: 'a durable add with the guard, as a ratio to one without',
          value: round(guarded / without),
          aim: '≤ 1.05',
        },
      ],
    };
  },
};
