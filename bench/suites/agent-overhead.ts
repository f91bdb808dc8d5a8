/** What an agent's memory costs per send: recall, prompt, conversation and events, against the bare call of its model. */
import { type AgentHandle, type Client, createClient } from '../../src/index.ts';
import { type ScriptedModel, scriptedModel } from '../../src/testing/index.ts';
import { median, quantile, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';

const RECORDS = 10_000;

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function seeded(client: Client, progress: (text: string) => void): Promise<void> {
  const { memory } = client.agent({ name: 'bench' });
  const text = textMaker();
  for (let done = 0; done < RECORDS; done += 500) {
    await Promise.all(Array.from({ length: 500 }, () => memory.add({ content: text() })));
    progress(`${done + 500} records`);
  }
}

interface Measured {
  readonly bare: readonly number[];
  readonly sent: readonly number[];
}

/** By turns, so that whatever slows the machine down slows both: a send, and the same prompt without us. */
async function compare(agent: AgentHandle, server: ScriptedModel, rounds: number): Promise<Measured> {
  const model = server.model();
  const text = textMaker(7);
  const session = await agent.session();
  const sent: number[] = [];
  const bare: number[] = [];
  for (let i = -10; i < rounds; i++) {
    const ours = await elapsed(() => session.send(`What do you know about ${text(8)}?`));
    const { messages, tools } = server.requests.at(-1)!;
    const theirs = await elapsed(async () => {
      for await (const _ of model.chat({ messages, tools }));
    });
    // The first ones load code and warm caches.
    if (i < 0) continue;
    sent.push(ours);
    bare.push(theirs);
  }
  await session.end();
  return { bare, sent };
}

function rowsOf(what: string, { bare, sent }: Measured): { row: Row; ratio: number } {
  const ratio = median(sent) / median(bare);
  const row = {
    what,
    'bare call, ms': round(median(bare)),
    'send, ms': round(median(sent)),
    'p95, ms': round(quantile(sent, 0.95)),
    'ours, ms': round(median(sent.map((time, i) => time - bare[i]!))),
    ratio: round(ratio),
  };
  return { row, ratio };
}

export const agentOverhead: Suite = {
  name: 'agent-overhead',
  why: 'Why aims are missed: a send recalls memories and turns of earlier threads, and writes the conversation to disk before and after the call.',
  question: `A send of an agent with ${RECORDS.toLocaleString('en')} memories, as a ratio to the bare call of its model`,
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const config = { memory: { maxEntries: 10_000_000, minMessagesToExtract: 1_000_000 } };
    const client = createClient({ workspace: folder.path, config });
    await seeded(client, progress);
    const rounds = quick ? 15 : 60;
    const rows: Row[] = [];
    const ratios: number[] = [];
    for (const delayMs of [0, 300]) {
      const server = await scriptedModel(() => ({ text: 'It is on the list for Friday.', delayMs }));
      for (const enabled of [false, true]) {
        const what = `${enabled ? 'facts and conversation' : 'conversation only'}, server answers after ${delayMs} ms`;
        progress(what);
        const agent = client.agent({
          name: 'bench',
          model: server.model(),
          memory: { enabled },
          // A new handle begins with the last ten messages, so that all measurements have prompts of like length.
          history: 'low',
        });
        const { row, ratio } = rowsOf(
          what,
          await compare(agent, server, delayMs === 0 ? rounds : Math.ceil(rounds / 4)),
        );
        rows.push(row);
        ratios.push(ratio);
      }
      await server.close();
    }
    await client.close();
    folder.remove();
    return {
      rows,
      headline: [
        { name: 'send with facts, server answers at once', value: round(ratios[1]!) },
        { name: 'send with facts, server answers after 300 ms', value: round(ratios[3]!), aim: '≤ 1.05' },
      ],
    };
  },
};
