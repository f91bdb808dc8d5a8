/** A process in which several agents work on one state: node append-child.ts <file or URL> <run> <first> <agents> <entries> */
import { openRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { RunState } from '../../src/working/index.ts';

const [place = '', run = '', first = '0', agents = '1', entries = '1'] = process.argv.slice(2);
const isRedis = place.startsWith('redis:');
const { state: store, close } = await (isRedis ? openRedis({ url: place }) : openSqlite({ file: place }));
const clock = { now: () => Date.now() };
await Promise.all(
  Array.from({ length: Number(agents) }, async (_, i) => {
    const by = `agent-${Number(first) + i}`;
    const state = new RunState({ store, clock, run, by });
    for (let entry = 0; entry < Number(entries); entry++) {
      await state.append('findings', { by, entry });
      await state.increment('count');
    }
  }),
);
await close();
