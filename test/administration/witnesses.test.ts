/** A workspace whose database is gone, with everything else in place, is not taken for a new one. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceDoctor } from '../../src/administration/doctor.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const program = { version: '0', oldestNode: '22.0' };

async function findingsOf(workspace: string) {
  const { findings } = await workspaceDoctor({ workspace, fix: false, now: Date.now(), program });
  return findings
    .filter(({ severity }) => severity !== 'ok')
    .map(({ check, message }) => `${check}: ${message}`);
}

it('doctor names the files that witness a database', async () => {
  const { folder, open } = testWorkspace();
  const client = open();
  await client.agent({ name: 'alice' }).memory.add({ content: 'x' });
  await (await client.agent({ name: 'alice' }).shortMemory).add('User', 'Hello');
  await client.close();
  expect((await findingsOf(folder)).join()).not.toContain('database.witness');
  rmSync(join(folder, 'data'), { recursive: true });
  expect(await findingsOf(folder)).toContainEqual(
    expect.stringMatching(
      /^database\.witness: There is no database, but .*: agents\/alice\/MEMORY\.md\. If memories/,
    ),
  );
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('doctor says nothing about a new workspace, also with the keys of a server that has not started', async () => {
  const { folder } = testWorkspace();
  mkdirSync(join(folder, 'data'), { recursive: true });
  for (const name of ['keys.json', 'server.key']) writeFileSync(join(folder, 'data', name), '{}');
  expect((await findingsOf(folder)).join()).not.toContain('database.witness');
});
