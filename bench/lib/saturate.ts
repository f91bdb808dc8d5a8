/** A process that keeps a server busy: so many connections, each with its next long text as soon as the last one is stored. */
import { Agent } from 'node:http';
import { poster } from './http.ts';
import { textMaker } from './measure.ts';

const [port, key, connections, words] = process.argv.slice(2);
const text = textMaker(11);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const post = poster({ port: Number(port), key: key!, agent });
let stored = 0;
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify({ stored })}\n`, () => process.exit(0));
});
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    for (;;) {
      await post('/v1/memory/add', { content: text(Number(words)) });
      stored += 1;
      if (stored === 1) process.stdout.write('begun\n');
    }
  }),
);
