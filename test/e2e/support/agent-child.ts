/** The program of the tests of agents over processes: `node agent-child.ts <options as JSON>`, one session per process. */
import { z } from 'zod';
import { type AgentOptions, type ConfigInput, createClient, defineTool } from '../../../src/index.ts';
import { failureOf, report } from '../../faults/support/report.ts';

export interface AgentChildOptions {
  readonly workspace: string;
  /** Base URL of the server that plays the model. */
  readonly url: string;
  readonly agent?: Partial<AgentOptions>;
  readonly config?: ConfigInput;
  readonly prompts: readonly string[];
  /** Each prompt by `run`, as a task of its own, instead of all of them in one session. */
  readonly asTasks?: boolean;
  /** Ends as if the power had failed, the moment the first answer is there. */
  readonly dieAfterAnswer?: boolean;
}

/** Never answers, so that a process can be killed while it is at work. */
const hang = defineTool({
  name: 'hang',
  description: 'Takes its time.',
  input: z.object({}),
  run: () => {
    report({ hanging: true });
    return new Promise<never>(() => setInterval(() => {}, 1_000));
  },
});

const {
  workspace,
  url,
  agent,
  config,
  prompts,
  asTasks = false,
  dieAfterAnswer = false,
} = JSON.parse(process.argv[2]!) as AgentChildOptions;
const client = createClient({
  workspace,
  config: { ...config, models: { main: 'compatible/scripted', baseUrl: url, retries: 0, ...config?.models } },
});
const handle = client.agent({ name: 'alice', tools: [hang], ...agent });
const session = asTasks ? undefined : await handle.session();
for (const prompt of prompts) {
  try {
    const options = {
      onMemoryRecalled: ({ entryCount }: { entryCount: number }) => report({ recalled: entryCount }),
      onText: (text: string) => report({ text }),
    };
    const answer =
      session === undefined ? await handle.run(prompt, options) : (await session.send(prompt, options)).text;
    if (dieAfterAnswer) process.kill(process.pid, 'SIGKILL');
    report({ answer });
  } catch (error) {
    report({ failure: failureOf(error) });
  }
}
await session?.end();
await client.close();
