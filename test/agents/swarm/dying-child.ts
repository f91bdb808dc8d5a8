/** A program that begins a run, says which, and never ends it. */
import { createClient } from '../../../src/index.ts';

const client = createClient({ workspace: process.argv[2]! });
const swarm = client.swarm({ name: 'market', agents: [{ name: 'scout' }], lead: { name: 'editor' } });
const run = await swarm.start({ task: 'Compare them.' });
process.stdout.write(`${run.id}\n`);
setInterval(() => {}, 60_000);
