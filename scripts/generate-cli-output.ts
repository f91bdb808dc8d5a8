/** Writes scripts/cli-docs/output.json: what the commands of the reference print. Run it with `npm run docs:cli`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSession } from './cli-docs/session.ts';

const folder = mkdtempSync(join(tmpdir(), 'keepsake-cli-docs-'));
try {
  const shown = await runSession(folder);
  const file = fileURLToPath(new URL('cli-docs/output.json', import.meta.url));
  writeFileSync(file, `${JSON.stringify(shown, null, 2)}\n`);
  console.log(`wrote ${shown.length} outputs`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
