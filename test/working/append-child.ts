/** A process in which several agents work on one state: node append-child.ts <file> <run> <first> <agents> <entries> */
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { RunState } from '../../src/working/index.ts';

const [file = '', run = '', first = '0', agents = '1', entries = '1'] = process.argv.slice(2);
const { state: store, close } = await openSqlite({ file });
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
