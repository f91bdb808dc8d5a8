/** What the five documents promise of an agent, told over real restarts: every step is a process of its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, calls, modelServer, said, systemOf } from '../agents/fixture.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { type AgentReport, runAgent } from './support/agent-children.ts';

const answers = (reports: readonly AgentReport[]) => reports.flatMap(({ answer = [] }) => answer);

it('A: an agent of the same name goes on in another process, and compacts when its context is full', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer((request) =>
    systemOf(request).includes('condense')
      ? 'The user researches vector databases and prefers those that run on Google Cloud.'
      : `Answer ${said(request).length}.`,
  );
  const options = {
    workspace,
    url: server.url,
    agent: { name: 'ResearchAgent', systemPrompt: 'You research.' },
  };
  await runAgent({ ...options, prompts: ['Research vector databases.'] });
  await runAgent({ ...options, prompts: ['Narrow it to those on Google Cloud.'] });
  expect(said(server.requests[1])).toEqual([
    'user: Research vector databases.',
    'assistant: Answer 1.',
    'user: Narrow it to those on Google Cloud.',
  ]);
  const full = { compression: { contextLength: 300 } };
  await runAgent({
    ...options,
    config: full,
    prompts: [`Compare them. ${'Consider price and speed. '.repeat(40)}`],
  });
  await runAgent({ ...options, prompts: ['Where were we?'] });
  const last = server.requests.at(-1)!;
  expect(systemOf(last)).toContain('[Compressed Memory Summary]');
  expect(systemOf(last)).toContain('prefers those that run on Google Cloud');
  expect(said(last).join('\n')).not.toContain('Research vector databases.');
  const folder = join(workspace, 'agents', 'ResearchAgent');
  const [archive] = readdirSync(join(folder, 'archive'));
  expect(readFileSync(join(folder, 'archive', archive!), 'utf8')).toContain('Research vector databases.');
});

it('B: what one session remembers, the next one of another process is told without asking', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer([
    call('remember', { content: 'The user prefers answers in French.', category: 'preference' }),
    'Noté.',
    'Bonjour !',
    'Hello.',
  ]);
  const options = { workspace, url: server.url };
  const memory = { enabled: true };
  await runAgent({
    ...options,
    agent: { memory, history: 'off', persistentMemory: false },
    prompts: ['Answer in French.'],
  });
  const second = await runAgent({
    ...options,
    agent: { memory, history: 'off', persistentMemory: false },
    prompts: ['Say hello.'],
  });
  expect(second[0]).toEqual({ recalled: 1 });
  expect(systemOf(server.requests[2])).toContain('The user prefers answers in French.');
  expect(said(server.requests[2])).toEqual(['user: Say hello.']);
  // Another agent of the same workspace knows nothing of it.
  await runAgent({ ...options, agent: { name: 'bob', memory }, prompts: ['Say hello.'] });
  expect(systemOf(server.requests[3])).not.toContain('French');
});

it('C: an agent that sees little asks for what was said in other processes', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer((request) => {
    const last = said(request).at(-1)!;
    if (last === 'user: Which budget did we agree on?') return call('more_context', { query: 'budget' });
    return last.startsWith('tool:') ? `Found: ${/budget is \d+/.exec(last)?.[0]}` : 'Fine.';
  });
  const options = { workspace, url: server.url, agent: { persistentMemory: false, history: 'low' as const } };
  await runAgent({
    ...options,
    prompts: ['The budget is 4000.', ...Array.from({ length: 8 }, (_, i) => `Step ${i}.`)],
  });
  const reports = await runAgent({ ...options, prompts: ['Which budget did we agree on?'] });
  const [first] = server.requests.filter((request) => said(request).at(-1)!.includes('Which budget'));
  expect(said(first).join('\n')).not.toContain('4000');
  expect(answers(reports)).toEqual(['Found: budget is 4000']);
});

it('D: sections of one process are listed and read in the next, with and without history', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer([
    calls(
      { name: 'memory_save', arguments: { section: 'seen_articles', content: '- Tides explained' } },
      { name: 'memory_append', arguments: { section: 'seen_articles', content: '- Moon and sea' } },
    ),
    'Two articles.',
    call('memory_retrieve', { section: 'seen_articles' }),
    'Nothing new.',
  ]);
  const options = {
    workspace,
    url: server.url,
    agent: { name: 'curator', history: 'off' as const },
    asTasks: true,
  };
  await runAgent({ ...options, prompts: ['Curate.'] });
  const reports = await runAgent({ ...options, prompts: ['Curate.'] });
  expect(systemOf(server.requests[2])).toContain('- seen_articles');
  expect(said(server.requests[3]).at(-1)).toContain('- Tides explained\n- Moon and sea');
  expect(answers(reports)).toEqual(['Nothing new.']);
  expect(readFileSync(join(workspace, 'agents', 'curator.memory.md'), 'utf8')).toContain('Moon and sea');
});

it('E: a task of one process stands beside a similar one of the next', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer(['The migration needs a backup first.', 'With a backup, this time.']);
  const options = {
    workspace,
    url: server.url,
    agent: { memory: { enabled: true }, persistentMemory: false },
    asTasks: true,
  };
  await runAgent({ ...options, prompts: ['Migrate the billing database to version 16.'] });
  await runAgent({ ...options, prompts: ['Migrate the billing database to version 17.'] });
  const task = said(server.requests[1]).at(-1)!;
  expect(task).toContain('## Relevant Past Knowledge');
  expect(task).toContain('needs a backup first');
});

it('SOUL.md is read again by every process', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer(['One.', 'Two.']);
  mkdirSync(join(workspace, 'agents', 'alice'), { recursive: true });
  for (const soul of ['You are kind.', 'You are strict.']) {
    writeFileSync(join(workspace, 'agents', 'alice', 'SOUL.md'), soul);
    await runAgent({ workspace, url: server.url, prompts: ['Hello'] });
  }
  expect(systemOf(server.requests[0])).toContain('You are kind.');
  expect(systemOf(server.requests[1])).toContain('You are strict.');
  expect(systemOf(server.requests[1])).not.toContain('kind');
});
