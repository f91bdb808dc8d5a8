// Vercel AI SDK: the model is wrapped, and from then on it remembers.
import { generateText } from 'ai';
import { createClient } from 'keepsake';
import { withKeepsake } from 'keepsake/ai-sdk';
import { scriptedModel } from './scripted-model.mjs';

const client = createClient();
await client.agent({ name: 'assistant', user: 'ada' }).memory.add({ content: 'Ada is allergic to peanuts.' });

const model = scriptedModel('Bring popcorn.'); // openai('gpt-5')
const remembering = withKeepsake(model, { client, user: 'ada', thread: 'dinner' });
const { text } = await generateText({ model: remembering, prompt: 'Which snack can I bring for Ada?' });
await remembering.keepsake.settled();

console.log(text);
console.log('The model was told:', model.prompts().includes('allergic to peanuts'));
const chat = client.agent({ name: 'assistant', user: 'ada' }).conversation('dinner');
console.log('Messages saved:', (await chat.log.get()).length);
await client.close();
