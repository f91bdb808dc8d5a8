/** What memory adds before the first token of a stream: the AI SDK with and without Keepsake, and recall by itself, in one run. */
import { simulateReadableStream, streamText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { withKeepsake } from '../../src/adapters/ai-sdk/index.ts';
import { createClient } from '../../src/index.ts';
import { median, quantile, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

const RECORDS = 10_000;

/** Says its first word after a while, as a provider does. */
function slowModel(delayMs: number): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: delayMs,
        chunkDelayInMs: null,
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'On' },
          { type: 'text-delta', id: '1', delta: ' Friday.' },
          { type: 'text-end', id: '1' },
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: undefined },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 2, text: 2, reasoning: 0 },
            },
          },
        ],
      }),
    }),
  });
}

/** Until the first word; the rest is read before the next one is measured. */
async function firstToken(model: Parameters<typeof streamText>[0]['model'], prompt: string): Promise<number> {
  const start = performance.now();
  let first = 0;
  for await (const _ of streamText({ model, prompt }).textStream) first ||= performance.now() - start;
  return first;
}

export const firstTokenSuite: Suite = {
  name: 'first-token',
  question: `Time to the first token of the AI SDK with ${RECORDS.toLocaleString('en')} memories, as a ratio to the same call without Keepsake`,
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const agent = client.agent({ name: 'bench' });
    const text = textMaker();
    for (let done = 0; done < RECORDS; done += 500) {
      await Promise.all(Array.from({ length: 500 }, () => agent.memory.add({ content: text() })));
      progress(`${done + 500} records`);
    }
    const rows: Row[] = [];
    const ratios: number[] = [];
    const beyond: number[] = [];
    for (const delayMs of [0, 200]) {
      const bare = slowModel(delayMs);
      const model = withKeepsake(slowModel(delayMs), { client, agent: 'bench', thread: `t-${delayMs}` });
      const [without, withMemory, recalls]: [number[], number[], number[]] = [[], [], []];
      const words = textMaker(7);
      const rounds = quick ? 15 : 60;
      for (let i = -5; i < rounds; i++) {
        const prompt = `What do you know about ${words(8)}?`;
        const plain = await firstToken(bare, prompt);
        const ours = await firstToken(model, prompt);
        await model.keepsake.settled();
        const start = performance.now();
        await agent.memory.context(prompt);
        const recall = performance.now() - start;
        // The first ones load code and warm caches.
        if (i < 0) continue;
        without.push(plain);
        withMemory.push(ours);
        recalls.push(recall);
      }
      const added = median(withMemory.map((time, i) => time - without[i]!));
      ratios.push(median(withMemory) / median(without));
      beyond.push(added / median(recalls));
      rows.push({
        what: `the model says its first word after ${delayMs} ms`,
        'without, ms': round(median(without)),
        'with, ms': round(median(withMemory)),
        'p95 with, ms': round(quantile(withMemory, 0.95)),
        'added, ms': round(added),
        'recall alone, ms': round(median(recalls)),
        ratio: round(ratios.at(-1)!),
      });
    }
    await client.close();
    folder.remove();
    return {
      rows,
      headline: [
        { name: 'first token after 200 ms, with to without', value: round(ratios[1]!), aim: '≤ 1.1' },
        { name: 'what is added, as a ratio to recall alone', value: round(beyond[0]!) },
      ],
    };
  },
};
