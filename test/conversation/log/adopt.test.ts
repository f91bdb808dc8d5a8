/** Folders that the original system left: what they hold is in the log, where it can be searched. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const HEADER =
  '# Agent Memory\n\n**Conversation:** Researcher_id_0b1f7a52-8f0e-4b53-9d0a-0f6f2f6f7a11_conversation\n**Created:** 2026-04-20T18:33:12\n\n---\n\n## Interaction Log\n\n';
const block = (role: string, time: string, text: string): string =>
  `### ${role} - 2026-04-${time}\n${text}\n\n---\n\n`;

const FIRST =
  HEADER +
  block('User', '18T09:00:00', 'Compare warehouses.') +
  block('Researcher', '18T09:00:09', 'BigQuery is quick.');
const SECOND =
  HEADER +
  block('System', '18T10:00:00', '[Compressed Memory Summary]\nWarehouses were compared.') +
  block('User', '19T09:00:00', 'And latency in Oslo?') +
  block('Researcher', '19T09:00:09', 'AlloyDB wins in Oslo.');
const ACTIVE =
  HEADER +
  block('System', '19T10:00:00', '[Compressed Memory Summary]\nWarehouses and latency were compared.') +
  block('User', '20T09:00:00', 'Write the report.') +
  block('Researcher', '20T09:00:09', 'The report is written.');

function leftFolder(): { readonly workspace: string; readonly file: string } {
  const workspace = temporaryFolder();
  const file = join(workspace, 'agents', 'Researcher', 'MEMORY.md');
  mkdirSync(join(dirname(file), 'archive'), { recursive: true });
  writeFileSync(file, ACTIVE);
  writeFileSync(join(dirname(file), 'archive', 'history_2026-04-18_10-00-00.md'), FIRST);
  writeFileSync(join(dirname(file), 'archive', 'history_2026-04-19_10-00-00.md'), SECOND);
  return { workspace, file };
}

it('A-04 A-15 a folder of the original system is in the log once its agent was opened, archives included', async () => {
  const { workspace, file } = leftFolder();
  await using client = createClient({ workspace });
  const agent = client.agent({ name: 'Researcher' });
  const memory = await agent.shortMemory;
  expect(readFileSync(file, 'utf8')).toBe(ACTIVE);
  expect((await agent.log.get()).map(({ content }) => content)).toEqual([
    'Compare warehouses.',
    'BigQuery is quick.',
    'And latency in Oslo?',
    'AlloyDB wins in Oslo.',
    '[Compressed Memory Summary]\nWarehouses and latency were compared.',
    'Write the report.',
    'The report is written.',
  ]);
  // The view of the model is that of the file.
  expect((await memory.turns()).map(({ content }) => content)).toEqual([
    'Write the report.',
    'The report is written.',
  ]);
  expect(await memory.preamble()).toContain('Warehouses and latency were compared.');
  expect(await memory.preamble()).not.toContain('Compare warehouses.');
  const { messages } = await memory.moreContext({ query: 'Oslo latency' });
  expect(messages.map(({ content }) => content)).toContain('AlloyDB wins in Oslo.');
});

it('takes it in once, however often and by how many processes it is opened', async () => {
  const { workspace } = leftFolder();
  const clients = [createClient({ workspace }), createClient({ workspace })];
  await Promise.all(clients.map((client) => client.agent({ name: 'Researcher' }).shortMemory));
  for (const client of clients) await client.close();
  await using client = createClient({ workspace });
  const agent = client.agent({ name: 'Researcher' });
  await (await agent.shortMemory).add('User', 'Thank you.');
  expect(await agent.log.get()).toHaveLength(8);
});

it('a message is refused when somebody made MEMORY.md unreadable meanwhile, and nothing of it is stored', async () => {
  const { workspace, file } = leftFolder();
  await using client = createClient({ workspace });
  const agent = client.agent({ name: 'Researcher' });
  const memory = await agent.shortMemory;
  await memory.add('User', 'One.');
  const bytes = Buffer.concat([readFileSync(file), Buffer.from('caf\xe9\n', 'latin1')]);
  writeFileSync(file, bytes);
  await expect(memory.add('User', 'Two.')).rejects.toMatchObject({ message: /UTF-8/ });
  expect(readFileSync(file)).toEqual(bytes);
  expect((await agent.log.get()).at(-1)?.content).toBe('One.');
  // Repaired, it goes on.
  writeFileSync(file, bytes.toString('latin1'));
  await memory.add('User', 'Three.');
  expect(readFileSync(file, 'utf8')).toContain('Three.');
});
