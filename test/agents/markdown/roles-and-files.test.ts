/** What the file of an agent lets it do: the role it has, and the files that it may write. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentsValidate, type ValidAgent } from '../../../src/administration/agents-validate.ts';
import { call, said, toolNames } from '../fixture.ts';
import { markdownScene } from './fixture.ts';

const lesson = call('inject-learning', {
  category: 'best-practice',
  learning: 'Deploy on Mondays only, never on Fridays.',
});

it('E-09 E-30 role: lead lets a Markdown agent teach; without it the same agent may not', async () => {
  const { defined, write, client, server } = await markdownScene([lesson, 'Taught.', lesson, 'No.']);
  write('agents/chief.md', '---\nrole: lead\ntools: [swarm]\n---\nYou lead.\n');
  write('agents/helper.md', '---\ntools: [swarm]\n---\nYou help.\n');
  await (await defined('chief')).run('Teach.');
  await (await defined('helper')).run('Teach.');
  expect(await client.memory.list()).toMatchObject([{ agent: 'chief', scope: 'swarm' }]);
  expect(said(server.requests[3]).at(-1)).toContain('Only a lead passes lessons on');
});

it('role: reader leaves a Markdown agent the tools that change no memory, and nothing is learned from it', async () => {
  const { defined, write, server, client } = await markdownScene(['Read.'], {
    config: { memory: { enabled: true, minMessagesToExtract: 0 } },
  });
  write('agents/auditor.md', '---\nrole: reader\ntools: [facts, files]\n---\nYou audit.\n');
  const auditor = await defined('auditor');
  await auditor.run('I never eat meat, keep that in mind.');
  expect(toolNames(server.requests[0])).toEqual(['memory_retrieve', 'recall', 'file_read', 'file_write']);
  await client.close();
  expect(server.requests).toHaveLength(1);
});

it('a role that does not exist is a mistake with its place', async () => {
  const { write, folder } = await markdownScene([]);
  write('agents/chief.md', '---\nrole: boss\n---\nYou lead.\n');
  const { agents } = await agentsValidate({ workspace: folder });
  expect(agents[0]).toMatchObject({ ok: false, problems: [{ line: 2, path: 'role' }] });
});

it('D-13 D-29 a bare file name goes to the first of paths, and is read from there', async () => {
  const { defined, write, folder, server } = await markdownScene([
    call('file_write', { path: 'news-2026-03-01.txt', content: 'All quiet.' }),
    call('file_read', { path: 'news-2026-03-01.txt' }),
    'Saved.',
  ]);
  write(
    'agents/news-curator.md',
    '---\npaths:\n  - output/\n  - archive/\n---\nSave a digest to `news-{date}.txt`.\n',
  );
  await (await defined('news-curator')).run('Begin.');
  expect(readFileSync(join(folder, 'output/news-2026-03-01.txt'), 'utf8')).toBe('All quiet.');
  expect(said(server.requests[1]).at(-1)).toContain('Wrote 10 characters to output/news-2026-03-01.txt.');
  expect(said(server.requests[2]).at(-1)).toContain('All quiet.');
});

it('D-11 D-13 an agent without paths writes into a folder of its own, and validate warns', async () => {
  const { defined, write, folder, server } = await markdownScene([
    call('file_write', { path: 'health-1.txt', content: 'Up.' }),
    call('file_write', { path: 'output/health-2.txt', content: 'Up.' }),
    call('file_read', { path: 'agents/daily-monitor/MEMORY.md' }),
    'Done.',
  ]);
  write('agents/daily-monitor.md', '---\nhistory: medium\n---\nSave it to `health-{timestamp}.txt`.\n');
  write('agents/reader.md', '---\ntools: [http]\n---\nYou read.\n');
  write('agents/off.md', '---\nhistory: off\npersistentMemory: true\npaths: out/\n---\nYou forget.\n');
  await (await defined('daily-monitor')).run('Begin.');
  expect(readFileSync(join(folder, 'agents/daily-monitor/files/health-1.txt'), 'utf8')).toBe('Up.');
  expect(existsSync(join(folder, 'output'))).toBe(false);
  const refused = said(server.requests[3]).filter((turn) =>
    turn.includes('outside the folders of this agent'),
  );
  expect(refused).toHaveLength(2);
  const { agents } = await agentsValidate({ workspace: folder });
  const warnings = Object.fromEntries(agents.map((one) => [one.name, (one as ValidAgent).warnings]));
  expect(warnings).toEqual({
    'daily-monitor': ['no "paths" are set, so file_read and file_write use agents/daily-monitor/files/ only'],
    off: ['"persistentMemory" has no effect, because "history" is off and nothing is stored'],
    reader: [],
  });
});

it('E-07 E-32 a note that an agent writes with file_write is in its memory at once, without a hook or a watcher', async () => {
  const note = { path: 'auth-header-fix.md', content: 'Without the Bearer prefix you get a misleading 403.' };
  const { defined, write, client, server } = await markdownScene(
    [
      call('file_write', note),
      'Noted.',
      call('file_write', { ...note, content: 'Use Bearer tokens.' }),
      'Done.',
    ],
    { config: { memory: { enabled: true, minMessagesToExtract: 100 } } },
  );
  write('agents/noter.md', '---\npaths: agents/noter/notes/\n---\nYou keep notes.\n');
  const notes = () => client.agent({ name: 'noter' }).memory.list({ source: 'file_index' });
  await (await defined('noter')).run('Begin.');
  expect(said(server.requests[1]).at(-1)).toContain(
    'auth-header-fix.md. It can be found by memory search now.',
  );
  expect(await notes()).toMatchObject([{ content: note.content, agent: 'noter', scope: 'agent' }]);
  expect(await client.agent({ name: 'other' }).memory.list()).toEqual([]);
  await (await defined('noter')).run('Write it again.');
  expect((await notes()).map(({ content }) => content)).toEqual(['Use Bearer tokens.']);
});

it('a file that is not a note stays a file', async () => {
  const { defined, write, client } = await markdownScene(
    [call('file_write', { path: 'report.md', content: 'All quiet.' }), 'Done.'],
    { config: { memory: { enabled: true, minMessagesToExtract: 100 } } },
  );
  write('agents/noter.md', '---\npaths: output/\n---\nYou report.\n');
  await (await defined('noter')).run('Begin.');
  expect(await client.memory.list({ source: 'file_index' })).toEqual([]);
});
