// Claude Agent SDK: transcripts in Keepsake, and hooks that recall and save. Pass `options` to query({ prompt, options }).
import { InMemorySessionStore } from '@anthropic-ai/claude-agent-sdk';
import { createClient } from 'keepsake';
import { keepsakeHooks, keepsakeSessions } from 'keepsake/claude-agent-sdk';

const client = createClient();
const options = {
  sessionStore: keepsakeSessions({ client, user: 'ada' }),
  hooks: keepsakeHooks({ client, user: 'ada' }),
};
await client
  .agent({ name: 'assistant', user: 'ada' })
  .memory.add({ content: 'Tests are run with vitest in this project.' });

// What the SDK does with them when a session runs.
const [{ hooks }] = options.hooks.UserPromptSubmit;
const answer = await hooks[0]({ hook_event_name: 'UserPromptSubmit', prompt: 'How are tests run here?' });
console.log('The prompt gets:', answer.hookSpecificOutput.additionalContext.includes('with vitest'));

const key = { projectKey: 'shop', sessionId: 's1' };
const entries = [{ type: 'user', uuid: 'u1', message: { content: 'How are tests run here?' } }];
const memoryOnly = new InMemorySessionStore();
for (const store of [options.sessionStore, memoryOnly]) await store.append(key, entries);
const [kept, expected] = [await options.sessionStore.load(key), await memoryOnly.load(key)];
console.log('The transcript is as the SDK keeps it:', JSON.stringify(kept) === JSON.stringify(expected));
await client.close();
