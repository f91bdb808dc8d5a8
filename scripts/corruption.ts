/** The long run of the corruption proof: `node scripts/corruption.ts --variants 500 --seed 7`. Without a seed it draws one. */
import { parseArgs } from 'node:util';
import { chooseSeed } from '../test/faults/support/chance.ts';
import { runCorruptions } from '../test/faults/support/corruption-run.ts';

const { values } = parseArgs({
  options: { variants: { type: 'string', default: '500' }, seed: { type: 'string' } },
});
const variants = Number(values.variants);
if (!Number.isSafeInteger(variants) || variants < 1)
  throw new Error('--variants must be a whole number above 0.');
const seed = chooseSeed(values.seed);
console.log(`${variants} damaged workspaces, seed ${seed}`);

const { silent, ...counts } = await runCorruptions({
  variants,
  seed,
  onProgress: (so) => {
    if (so.variants % 50 === 0) console.log(`${so.variants} damaged, ${so.silent.length} silent losses`);
  },
});
for (const loss of silent) console.error(`SILENT LOSS: ${loss}`);
console.log(JSON.stringify({ seed, ...counts, silent: silent.length }));
process.exitCode = silent.length === 0 ? 0 : 1;
