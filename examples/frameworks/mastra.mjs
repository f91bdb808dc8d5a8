// Mastra: two processors, one that recalls and one that saves.
import { Agent } from '@mastra/core/agent';
import { createClient } from 'keepsake';
import { keepsakeMemory } from 'keepsake/mastra';
import { scriptedModel } from './scripted-model.mjs';

const client = createClient();
await client.agent({ name: 'guide', user: 'ada' }).memory.add({ content: 'The office of Ada is in Lisbon.' });

const model = scriptedModel('In Lisbon.'); // 'openai/gpt-5'
const keepsake = keepsakeMemory({ client, agent: 'guide' });
const guide = new Agent({
  id: 'guide',
  name: 'guide',
  instructions: 'Be short.',
  model,
  inputProcessors: [keepsake.recall()],
  outputProcessors: [keepsake.save()],
  tools: keepsake.tools(),
});
const { text } = await guide.generate('Where is my office?', {
  memory: { resource: 'ada', thread: 'monday' },
});
await keepsake.settled();

console.log(text);
console.log('The model was told:', model.prompts().includes('office of Ada is in Lisbon'));
const chat = client.agent({ name: 'guide', user: 'ada' }).conversation('monday');
console.log('Messages saved:', (await chat.log.get()).length);
await client.close();
