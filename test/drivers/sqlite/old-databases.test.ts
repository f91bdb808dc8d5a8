/** Databases that older versions of Keepsake really wrote: each is upgraded, doctor finds nothing, and everything in it is found. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { NOW, open, read, troubles } from './maintenance/maintenance-fixture.ts';

/** Made by scripts/old-databases.ts. */
const FOLDER = join(import.meta.dirname, '../../fixtures/old-databases');
const FILES = readdirSync(FOLDER).sort();

function workspaceOf(name: string): { workspace: string; file: string } {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, 'data'), { mode: 0o700 });
  const file = join(workspace, 'data/keepsake.db');
  writeFileSync(file, gunzipSync(readFileSync(join(FOLDER, name))), { mode: 0o600 });
  return { workspace, file };
}

const said = async (client: Client, query: string): Promise<string[]> => {
  const found = await client.agent({ name: 'alice' }).log.search(query);
  return found.map(({ content }) => String(content));
};

it('every schema of a release has one', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(12);
});

describe.each(FILES)('%s', (name) => {
  it('upgrades, and doctor finds nothing', async () => {
    const { file } = workspaceOf(name);
    const storage = await open(file);
    const findings = await storage.maintenance.examine({ fix: false, now: NOW });
    expect(troubles(findings)).toEqual([]);
    expect(findings.length).toBeGreaterThan(20);
    expect(
      read(file, (database) =>
        database.prepare('SELECT count(*) FROM records WHERE forgotten_at IS NULL').pluck().get(),
      ),
    ).toBe(6);
  });

  it('finds memories and messages by words of the present analysis', async () => {
    const { workspace, file } = workspaceOf(name);
    const client = createClient({ workspace });
    const { memory } = client.agent({ name: 'alice' });
    expect((await memory.search('attic')).map(({ content }) => content)).toContain(
      'alice moved the kettle to the attic',
    );
    expect(await said(client, 'Strasse')).toEqual(['alice: Die Straße ist gesperrt']);
    expect(await said(client, 'Haus')).toEqual(['alice: Gestern waren die Häuser noch blau']);
    await memory.add({ content: 'after the upgrade' });
    await client.close();
    expect(read(file, (database) => database.pragma('integrity_check', { simple: true }))).toBe('ok');
  });
});
