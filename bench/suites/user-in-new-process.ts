/** What a process of its own does for one user: the first search, later ones, recalls and adds, and the memory that it needs. */
import { spawnSync } from 'node:child_process';
import { config, entryPoint } from './hybrid-recall.ts';

export interface UserTimes {
  /** Milliseconds from before the client is made until the first answer is there. */
  readonly first: number;
  /** Medians, in milliseconds. */
  readonly search: number;
  readonly recall: number;
  readonly add: number;
  readonly megabytes: number;
}

const ROUNDS = 200;

export function userInNewProcess(workspace: string, agent: string, user: string): UserTimes {
  const script = `
    const { createClient } = await import(${JSON.stringify(entryPoint())});
    const { naturalTexts } = await import(${JSON.stringify(`${import.meta.dirname}/../lib/natural-texts.ts`)});
    const question = naturalTexts(99);
    const start = performance.now();
    const client = createClient(${JSON.stringify({ workspace, config })});
    const { memory } = client.agent(${JSON.stringify({ name: agent, user })});
    await memory.search('gateway latency', { limit: 10 });
    const first = performance.now() - start;
    const median = async (work) => {
      const times = [];
      for (let i = 0; i < 2 * ${ROUNDS}; i++) {
        const begin = performance.now();
        await work(question(3 + (i % 4)), i);
        if (i >= ${ROUNDS}) times.push(performance.now() - begin);
      }
      return times.sort((a, b) => a - b)[${ROUNDS} / 2];
    };
    const search = await median((text) => memory.search(text, { limit: 10 }));
    const recall = await median((text) => memory.recall(text));
    const megabytes = process.memoryUsage().rss / 1e6;
    // Of another user, so that the one who is measured stays as small.
    const other = client.agent(${JSON.stringify({ name: agent, user: `${user} adds` })}).memory;
    const add = await median((text, i) => other.add({ content: text + ' ' + i + start }));
    console.log(JSON.stringify({ first, search, recall, add, megabytes }));
    await client.close();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The process of a user failed: ${stderr}`);
  return JSON.parse(stdout) as UserTimes;
}
