// OpenAI Agents SDK: a session that another process can continue.
import { Agent, Runner, Usage } from '@openai/agents-core';
import { createClient } from 'keepsake';
import { KeepsakeSession, memoryTools } from 'keepsake/openai-agents';

/** Answers one sentence. With @openai/agents, leave `model` out and use run(agent, …) instead of the runner. */
const model = {
  getResponse: async () => ({
    usage: new Usage(),
    output: [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'It arrives tomorrow.' }],
      },
    ],
  }),
  async *getStreamedResponse() {
    yield* [];
  },
};
const runner = new Runner({ tracingDisabled: true });

const client = createClient();
const agent = new Agent({ name: 'support', model, tools: memoryTools({ client, user: 'ada' }) });
const session = new KeepsakeSession({ client, user: 'ada', thread: 'ticket 1' });
const { finalOutput } = await runner.run(agent, 'My order 42 is late.', { session });
console.log(finalOutput);
await runner.run(agent, 'Which order did I ask about?', { session });

const continued = new KeepsakeSession({ client, user: 'ada', thread: 'ticket 1' });
console.log('Items of the session:', (await continued.getItems()).length);
await client.close();
