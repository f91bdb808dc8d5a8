/**
 * Databases as older versions of Keepsake left them: `node scripts/old-databases.ts` runs the last commit of every released schema and
 * writes test/fixtures/old-databases/<schema>.db.gz, which tests upgrade. Needed again only when a schema gets a successor.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const target = join(root, 'test/fixtures/old-databases');

/** The last commit that works and has this schema. Schema 5 and those before 4 never existed in a commit of their own; that
 * of 16 is the last one with another analysis of texts. */
const COMMITS: Readonly<Record<number, string>> = {
  4: '785606b8',
  6: 'bce668b3',
  7: '35dd2514',
  8: '579b7a5b',
  9: '4b962ac6',
  10: 'd18f1c8b',
  11: 'de68144d',
  12: '3db6ecb5',
  13: '8a58bf20',
  14: '6fd308f3',
  15: '45b91aeb',
  16: 'b0bff2ea',
};

/** Only what all of these versions understand. */
const FILL = `
const { createClient } = await import(process.argv[1]);
const client = createClient({ workspace: process.argv[2] });
for (const name of ['alice', 'bob']) {
  const agent = client.agent({ name });
  const { memory } = agent;
  const ids = [];
  for (let i = 0; i < 4; i++) {
    const content = name + ' keeps kettle number ' + i + ' in room ' + i * 7;
    ids.push((await memory.add({ content, tags: ['kettle'], scope: i === 3 ? 'swarm' : 'agent' })).id);
  }
  await memory.update(ids[0], { content: name + ' moved the kettle to the attic' });
  await memory.forget(ids[1]);
  for (const text of ['Die Straße ist gesperrt', 'Gestern waren die Häuser noch blau', 'Los niños cantaban'])
    await (await agent.shortMemory).add('User', name + ': ' + text);
}
await new Promise((resolve) => setTimeout(resolve, 1500));
await client.close();
`;

const folder = mkdtempSync(join(tmpdir(), 'keepsake-old-'));
try {
  mkdirSync(target, { recursive: true });
  for (const [schema, commit] of Object.entries(COMMITS)) {
    const build = join(folder, commit);
    mkdirSync(build);
    const archive = execFileSync('git', ['archive', commit, 'src', 'package.json'], {
      cwd: root,
      maxBuffer: 1e9,
    });
    execFileSync('tar', ['x', '-C', build], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'));
    const found = readdirSync(join(build, 'src/drivers/sqlite/migrations')).filter((name) =>
      /^\d/.test(name),
    );
    if (found.length !== Number(schema))
      throw new Error(`${commit} has schema ${found.length}, not ${schema}.`);
    const workspace = join(build, 'workspace');
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', FILL, join(build, 'src/index.ts'), workspace],
      { stdio: 'inherit', env: { PATH: process.env.PATH } },
    );
    const bytes = readFileSync(join(workspace, 'data/keepsake.db'));
    writeFileSync(join(target, `${schema.padStart(2, '0')}.db.gz`), gzipSync(bytes, { level: 9 }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
