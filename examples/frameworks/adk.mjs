// Google ADK: a memory service for new Runner({ agent, appName, sessionService, memoryService }).
import { createEvent, InMemorySessionService } from '@google/adk';
import { createClient } from 'keepsake';
import { keepsakeMemoryService } from 'keepsake/adk';

const client = createClient();
const memoryService = keepsakeMemoryService({ client });
const sessionService = new InMemorySessionService();
const appName = 'travel';

const session = await sessionService.createSession({ appName, userId: 'ada' });
const content = { role: 'user', parts: [{ text: 'My train to Porto leaves on Friday.' }] };
await sessionService.appendEvent({
  session,
  event: createEvent({ author: 'user', content, invocationId: 'i1' }),
});
const finished = await sessionService.getSession({ appName, userId: 'ada', sessionId: session.id });
await memoryService.addSessionToMemory(finished);

const search = async (userId) =>
  (await memoryService.searchMemory({ appName, userId, query: 'When does the train leave?' })).memories;
console.log((await search('ada'))[0].content.parts[0].text);
console.log('Found for somebody else:', (await search('ben')).length);
await client.close();
