// Claude's memory tool: pass `memory` among the tools of anthropic.beta.messages.toolRunner(…).
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { createClient } from 'keepsake';
import { keepsakeMemory } from 'keepsake/anthropic';

const client = createClient();
const memory = betaMemoryTool(keepsakeMemory({ client, user: 'ada' }));

// What Claude does by itself when it has the tool.
await memory.run({ command: 'create', path: '/memories/plans.md', file_text: 'Lisbon in May' });
console.log(await memory.run({ command: 'view', path: '/memories/plans.md' }));
await memory.run({ command: 'delete', path: '/memories/plans.md' });
await client.close();
