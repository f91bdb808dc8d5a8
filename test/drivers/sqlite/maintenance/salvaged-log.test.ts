/** What stands behind the damage in a write-ahead log is saved by doctor --fix, and can be restored. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRestore } from '../../../../src/administration/care.ts';
import { examineSqlite } from '../../../../src/drivers/sqlite/maintenance/index.ts';
import { createClient } from '../../../../src/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const MEMORIES = 40;
const MESSAGES = 10;

/** A workspace as a killed process leaves it, with everything still in the log. */
async function leftBehind(): Promise<string> {
  const folder = temporaryFolder();
  const [live, left] = [join(folder, 'live'), join(folder, 'left')];
  const client = createClient({ workspace: live });
  const alice = client.agent({ name: 'alice' });
  for (let i = 0; i < MEMORIES; i++) await alice.memory.add({ content: `Buoy ${i} is at ${i * 7} fathoms` });
  for (let i = 0; i < MESSAGES; i++) await alice.log.add('user', `Message ${i}`);
  cpSync(live, left, { recursive: true });
  await client.close();
  return left;
}

const flip = (file: string, part: number): void => {
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length * part)]! ^= 4;
  writeFileSync(file, bytes);
};

describe.each([
  ['in the header', 0.000_001],
  ['near the beginning', 0.05],
  ['in the middle', 0.5],
  ['near the end', 0.9],
])('a flipped bit %s', (_, part) => {
  it('costs at most what the damaged page held', async () => {
    const workspace = await leftBehind();
    const file = join(workspace, 'data/keepsake.db');
    flip(`${file}-wal`, part);
    const findings = await examineSqlite({ file, fix: true, now: Date.now(), busyTimeoutMs: 1_000 });
    const found = findings.find(({ check }) => check === 'database.log')!;
    expect(found).toMatchObject({ fixed: true, hint: expect.stringContaining('keepsake restore') });
    const name = readdirSync(join(workspace, 'data')).find((each) => each.startsWith('keepsake-salvaged-'))!;
    const salvaged = join(workspace, 'data', name);
    expect(found.message).toContain(salvaged);
    expect(statSync(salvaged).mode & 0o777).toBe(0o600);
    await workspaceRestore({ workspace, file: salvaged, label: 'test', now: Date.now() });
    const client = createClient({ workspace });
    const alice = client.agent({ name: 'alice' });
    const kept = await alice.memory.list({ limit: 100 });
    expect(kept.length).toBeGreaterThanOrEqual(MEMORIES - 5);
    expect((await alice.log.get({ limit: 100 })).length).toBeGreaterThanOrEqual(MESSAGES - 5);
    const [hit] = await alice.memory.search('Buoy 39');
    expect(hit?.content).toBe('Buoy 39 is at 273 fathoms');
    await client.close();
  });
});
