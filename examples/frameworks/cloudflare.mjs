// Cloudflare Agents: a context block { label: 'memory', provider }. On Workers, use { url, apiKey } instead of a client.
import { createClient } from 'keepsake';
import { keepsakeContext } from 'keepsake/cloudflare';

const client = createClient();
const provider = keepsakeContext({ client, user: 'ada' });
// What the model does with the block.
await provider.set('diet', 'Ada is a vegetarian.');
await provider.set('diet', 'Ada eats fish again.');
console.log(await provider.get());
console.log('Found:', (await provider.search('what does Ada eat')).includes('fish'));
await client.close();
