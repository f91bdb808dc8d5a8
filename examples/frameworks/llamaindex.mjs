// LlamaIndex.TS: a memory block that brings what fits the question into the prompt.
import { createMemory } from '@llamaindex/core/memory';
import { createClient } from 'keepsake';
import { keepsakeBlock } from 'keepsake/llamaindex';

const client = createClient();
await client.agent({ name: 'assistant', user: 'ada' }).memory.add({ content: 'Ada lives in Lisbon.' });

const memory = createMemory({
  memoryBlocks: [keepsakeBlock({ client, user: 'ada' })],
  tokenLimit: 10_000,
});
await memory.add({ role: 'user', content: 'Where does Ada live?' });
const messages = JSON.stringify(await memory.getLLM());
console.log('The prompt has it:', messages.includes('Ada lives in Lisbon.'));
await client.close();
