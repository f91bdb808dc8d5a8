/** A process that indexes a folder and says how far it is, until it is killed. */
import { createClient } from '../../../src/index.ts';

const [workspace, folder] = process.argv.slice(2) as [string, string];
const client = createClient({ workspace, config: { models: { embedding: 'none' } } });
await client
  .agent({ name: 'alice' })
  .knowledge.add(folder, { onProgress: ({ done }) => process.stdout.write(`${done}\n`) });
await client.close();
