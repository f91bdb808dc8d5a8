// Strands Agents: a store for its MemoryManager.
import { MemoryManager } from '@strands-agents/sdk';
import { createClient } from 'keepsake';
import { keepsakeStore } from 'keepsake/strands';

const client = createClient();
const manager = new MemoryManager({ stores: [keepsakeStore({ client, user: 'ada' })] });
await manager.add('Ada plays the cello.');
const [found] = await manager.search('Which instrument does Ada play?');
console.log(found.content);
await client.close();
