/**
 * Trains the table of the guard: `node scripts/guard-model/make.ts [--mirror DIR] [--cache DIR] [--check]`.
 * The sources are cloned from GitHub at fixed commits unless `--mirror` holds them. A minute on one core.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packTable } from '../../src/guard/intent/shipped-table.ts';
import { makeCorpus, trainOn } from './corpus.ts';
import { SOURCES, type SourceName } from './sources.ts';
import { hashOf, unpack } from './unpack.ts';

const { values } = parseArgs({
  options: {
    mirror: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'keepsake-guard-cache') },
  },
});

const sets = await makeCorpus(values.cache, values.mirror);
const bytes = packTable(trainOn(sets));
const folder = join(import.meta.dirname, '../../models/guard');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'intent.bin'), bytes);
const manifest = {
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sets: sets.map(({ name, orders, harmless }) => ({
    name,
    orders: orders.length,
    harmless: harmless.length,
  })),
  sources: (Object.keys(SOURCES) as SourceName[]).map((name) => {
    const { repository, commit, licence } = SOURCES[name];
    return {
      name,
      repository,
      commit,
      licence,
      sha256: hashOf(unpack(SOURCES[name], values.cache, values.mirror)),
    };
  }),
};
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
for (const { name, orders, harmless } of manifest.sets)
  console.log(`${name}: ${orders} orders, ${harmless} harmless`);
console.log(`models/guard/intent.bin: ${bytes.length} bytes, SHA-256 ${manifest.sha256}`);
