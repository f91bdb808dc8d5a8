// mem0: only the import changes.
import { Memory } from 'keepsake/mem0';

const memory = new Memory();
await memory.add([{ role: 'user', content: 'My dog is called Bell.' }], { userId: 'ada' });
await memory.add('Invoices are due after thirty days.', { userId: 'ada' });
const { results } = await memory.search('What is the name of my pet?', {
  filters: { user_id: 'ada' },
  topK: 1,
});
console.log(results[0].memory);
await memory.close();
