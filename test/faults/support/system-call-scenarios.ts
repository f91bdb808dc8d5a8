/** What the campaign over system calls lets Keepsake do: each changes files or the database, and can say whether it did. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { workspaceBackup } from '../../../src/administration/care.ts';
import { configSet } from '../../../src/administration/config-set.ts';
import { workspaceInit } from '../../../src/administration/init.ts';
import { keysCreate, keysList } from '../../../src/administration/keys.ts';
import { fileTools } from '../../../src/agents/index.ts';
import {
  type AgentHandle,
  type Client,
  createClient,
  KeepsakeError,
  systemClock,
} from '../../../src/index.ts';

export interface Scenario {
  readonly name: string;
  act(workspace: string): Promise<unknown>;
  /** Whether what was asked for is there, in full. Looked at without faults, in a client of its own. */
  happened(workspace: string): Promise<boolean>;
}

export async function withClient<T>(workspace: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ workspace, onListenerError: () => {} });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const asAlice = <T>(workspace: string, work: (alice: AgentHandle) => Promise<T>): Promise<T> =>
  withClient(workspace, (client) => work(client.agent({ name: 'alice' })));

const clock = systemClock;
const fileOf = (workspace: string, ...names: string[]): string => join(workspace, ...names);
const has = (file: string, text: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').includes(text);

/** A file that was not read is named in the answer, which counts as a refusal. */
function allOf(report: {
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}): void {
  const [skipped] = report.skipped;
  if (skipped === undefined) return;
  throw new KeepsakeError('STORAGE_FAILED', `${skipped.path}: ${skipped.reason}`, { hint: 'It was named.' });
}

/** One that was cut off cannot be unpacked. */
function isExport(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    return gunzipSync(readFileSync(file)).includes('Kept since the beginning: 2');
  } catch {
    return false;
  }
}

/** Longer than one write of most programs, so that a part of it can be told from all of it. */
export const OLD_PLAN = `old plan\n${'Every line of it matters. '.repeat(2_000)}\nend of the old plan\n`;
const NEW_PLAN = `new plan\n${'No line of it may be missing. '.repeat(2_000)}\nend of the new plan\n`;

/** What every workspace holds before a fault. */
export async function prepare(workspace: string): Promise<void> {
  mkdirSync(workspace, { recursive: true });
  workspaceInit({ folder: workspace, name: 'alice' });
  mkdirSync(fileOf(workspace, 'work'));
  mkdirSync(fileOf(workspace, 'books'));
  writeFileSync(fileOf(workspace, 'work/plan.txt'), OLD_PLAN);
  for (const name of ['one', 'two'])
    writeFileSync(
      fileOf(workspace, 'books', `${name}.md`),
      `# ${name}\n\nThe lighthouse of ${name} is red.\n`,
    );
  mkdirSync(fileOf(workspace, 'agents/alice/notes'), { recursive: true });
  writeFileSync(fileOf(workspace, 'agents/alice/notes/ferry.md'), 'The ferry leaves at noon.\n');
  await keysCreate({ name: 'first', role: 'worker', agent: 'alice' }, { workspace, clock });
  await withClient(workspace, async (client) => {
    const alice = client.agent({ name: 'alice' });
    for (let i = 0; i < 3; i++) await alice.memory.add({ content: `Kept since the beginning: ${i}` });
    await alice.sections.save('plans', 'An old section.');
    const conversation = await alice.shortMemory;
    for (let i = 0; i < 4; i++) await conversation.add('User', `An old message: ${i}`);
    await client.export(fileOf(workspace, 'old.keepsake'));
  });
}

/** What of it is no longer there, in words. */
export async function missing(workspace: string): Promise<string[]> {
  const lost: string[] = [];
  await withClient(workspace, async (client) => {
    const alice = client.agent({ name: 'alice' });
    const memories = await alice.memory.list({ limit: 100 });
    for (let i = 0; i < 3; i++)
      if (!memories.some(({ content }) => content === `Kept since the beginning: ${i}`))
        lost.push(`memory ${i}`);
    if ((await alice.sections.get('plans').catch(() => undefined)) === undefined) lost.push('section');
    const messages = await alice.log.get({ limit: 100 });
    for (let i = 0; i < 4; i++)
      if (!messages.some(({ content }) => content === `An old message: ${i}`)) lost.push(`message ${i}`);
  });
  const keys = await keysList({ workspace, clock });
  if (!keys.some(({ name }) => name === 'first')) lost.push('key');
  const plan = readFileSync(fileOf(workspace, 'work/plan.txt'), 'utf8');
  if (plan !== OLD_PLAN && plan !== NEW_PLAN)
    lost.push(`a part of work/plan.txt (${plan.length} characters)`);
  if (!isExport(fileOf(workspace, 'old.keepsake'))) lost.push('the old export');
  return lost;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'memory.add',
    act: (workspace) => asAlice(workspace, ({ memory }) => memory.add({ content: 'Added under a fault.' })),
    happened: (workspace) =>
      asAlice(workspace, async ({ memory }) =>
        (await memory.list({ limit: 100 })).some(({ content }) => content === 'Added under a fault.'),
      ),
  },
  {
    name: 'sections.save',
    act: (workspace) => asAlice(workspace, ({ sections }) => sections.save('ideas', 'Saved under a fault.')),
    happened: async (workspace) => has(fileOf(workspace, 'agents/alice.memory.md'), 'Saved under a fault.'),
  },
  {
    name: 'conversation',
    act: (workspace) =>
      asAlice(workspace, async (alice) => (await alice.shortMemory).add('User', 'Said under a fault.')),
    happened: (workspace) =>
      asAlice(workspace, async ({ log }) =>
        (await log.get({ limit: 100 })).some(({ content }) => content === 'Said under a fault.'),
      ),
  },
  {
    name: 'archive',
    act: (workspace) => asAlice(workspace, async (alice) => (await alice.shortMemory).clear()),
    happened: (workspace) =>
      asAlice(workspace, async ({ archive }) => {
        const [newest] = (await archive.list()).slice(-1);
        return newest !== undefined && newest.messages >= 4;
      }),
  },
  {
    name: 'file_write',
    act: async (workspace) => {
      const tools = fileTools({ root: workspace, paths: ['work'] });
      const write = tools.find(({ name }) => name === 'file_write')!;
      return write.run({ path: 'work/plan.txt', content: NEW_PLAN } as never, {} as never);
    },
    happened: async (workspace) => readFileSync(fileOf(workspace, 'work/plan.txt'), 'utf8') === NEW_PLAN,
  },
  {
    name: 'export',
    act: (workspace) => withClient(workspace, (client) => client.export(fileOf(workspace, 'new.keepsake'))),
    happened: async (workspace) => isExport(fileOf(workspace, 'new.keepsake')),
  },
  {
    name: 'import',
    act: (workspace) =>
      asAlice(workspace, ({ log }) =>
        log.import(JSON.stringify([{ role: 'user', content: 'Imported under a fault.' }])),
      ),
    happened: (workspace) =>
      asAlice(workspace, async ({ log }) =>
        (await log.get({ limit: 100 })).some(({ content }) => content === 'Imported under a fault.'),
      ),
  },
  {
    name: 'keys.create',
    act: (workspace) => keysCreate({ name: 'second', role: 'worker', agent: 'alice' }, { workspace, clock }),
    happened: async (workspace) =>
      (await keysList({ workspace, clock })).some(({ name }) => name === 'second'),
  },
  {
    name: 'config.set',
    act: (workspace) => configSet({ workspace, key: 'memory.maxEntries', value: '777' }),
    happened: async (workspace) => has(fileOf(workspace, 'keepsake.jsonc'), '777'),
  },
  {
    name: 'knowledge.add',
    act: (workspace) =>
      asAlice(workspace, async ({ knowledge }) => allOf(await knowledge.add(fileOf(workspace, 'books')))),
    happened: (workspace) =>
      asAlice(workspace, async ({ knowledge }) => {
        const found = await knowledge.search('lighthouse', { minRelevance: 0 });
        return ['one', 'two'].every((name) =>
          found.some(({ content }) => content.includes(`of ${name} is red`)),
        );
      }),
  },
  {
    name: 'notes',
    act: async (workspace) => {
      return asAlice(workspace, async ({ notes }) => allOf(await notes.index()));
    },
    happened: (workspace) =>
      asAlice(workspace, async ({ memory }) => (await memory.search('ferry noon')).length > 0),
  },
  {
    name: 'backup',
    act: (workspace) =>
      withClient(workspace, async (client) => {
        const { storage, config } = await client.open();
        return workspaceBackup({ storage, config }, { root: workspace, label: 'proof' });
      }),
    happened: async (workspace) => existsSync(fileOf(workspace, 'backups/keepsake-proof.db')),
  },
  {
    name: 'forget',
    act: (workspace) =>
      asAlice(workspace, async ({ memory }) => {
        const found = (await memory.list({ limit: 100 })).find(
          ({ content }) => content === 'To be forgotten.',
        );
        await memory.forget(found?.id ?? (await memory.add({ content: 'To be forgotten.' })).id);
      }),
    happened: (workspace) =>
      asAlice(workspace, async ({ memory }) =>
        (await memory.list({ limit: 100 })).every(({ content }) => content !== 'To be forgotten.'),
      ),
  },
];
