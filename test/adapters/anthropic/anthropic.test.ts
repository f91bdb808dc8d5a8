/** Claude's memory tool: the same answers as the SDK's own implementation on files, and no lost edits. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import { describe, expect, it } from 'vitest';
import { keepsakeMemory, keepsakeMemoryExecutor } from '../../../src/adapters/anthropic/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { PLACES } from '../support/places.ts';

type Command = Parameters<ReturnType<typeof keepsakeMemoryExecutor>>[0] & Record<string, unknown>;

const create = (path: string, file_text: string): Command => ({ command: 'create', path, file_text });
const view = (path: string, view_range?: number[]): Command => ({
  ...{ command: 'view', path },
  ...(view_range && { view_range }),
});
const replace = (path: string, old_str: string, new_str: string): Command => ({
  ...{ command: 'str_replace', path, old_str, new_str },
});

/** Each command, what a model would send on good and on bad days. */
const STORY: readonly Command[] = [
  create('/memories/notes.md', 'first\nsecond\nthird\n'),
  create('/memories/notes.md', 'again'),
  create('/memories/a/b/deep.txt', 'x'.repeat(1536)),
  create('/memories/a/empty.txt', ''),
  create('/etc/passwd', 'x'),
  create('/memories/../etc/passwd', 'x'),
  view('/memories/notes.md'),
  view('/memories/notes.md', [2, -1]),
  view('/memories/notes.md', [2, 3]),
  view('/memories/none.md'),
  view('/memories/../../etc'),
  replace('/memories/notes.md', 'second', "$& costs $1 and $'"),
  replace('/memories/notes.md', 'none', 'x'),
  replace('/memories/notes.md', 'ir', 'x'),
  replace('/memories/a', 'x', 'y'),
  replace('/memories/gone.md', 'x', 'y'),
  { command: 'insert', path: '/memories/notes.md', insert_line: 1, insert_text: 'inserted\n' },
  { command: 'insert', path: '/memories/notes.md', insert_line: 99, insert_text: 'x' },
  { command: 'insert', path: '/memories/none.md', insert_line: 0, insert_text: 'x' },
  view('/memories/notes.md'),
  { command: 'rename', old_path: '/memories/notes.md', new_path: '/memories/a/empty.txt' },
  { command: 'rename', old_path: '/memories/none', new_path: '/memories/other' },
  { command: 'rename', old_path: '/memories', new_path: '/memories/other' },
  { command: 'rename', old_path: '/memories/a', new_path: '/memories/c/d' },
  view('/memories/c/d/b/deep.txt'),
  { command: 'delete', path: '/memories/none' },
  { command: 'delete', path: '/memories' },
  { command: 'delete', path: '/memories/c' },
  view('/memories/c/d/empty.txt'),
];

type Handlers = Record<string, (command: object) => Promise<unknown>>;

async function told(handlers: Handlers, story: readonly Command[]): Promise<string[]> {
  const answers: string[] = [];
  for (const command of story) {
    answers.push(
      await handlers[command.command]!(command).then(
        (text) => String(text),
        (error: Error) => `Error: ${error.message}`,
      ),
    );
  }
  return answers;
}

/** Only the size of a folder is a matter of the file system. */
const withoutFolderSizes = (text: string): string =>
  text.replaceAll(/^[^\t\n]+\t(\S*\/|\/memories|\/memories\/z)$/gm, 'SIZE\t$1');

describe.each(PLACES)('the memory tool of Claude, $place', ({ place, open }) => {
  it(`[matrix] anthropic · ${place === 'remote' ? 'remote' : 'tools'}: answers word for word as the SDK does on files`, async () => {
    const base = temporaryFolder();
    mkdirSync(join(base, 'memories'), { recursive: true });
    const theirs = new BetaLocalFilesystemMemoryTool(base) as unknown as Handlers;
    const ours = keepsakeMemory({ client: await open() }) as unknown as Handlers;
    expect(await told(ours, STORY)).toEqual(await told(theirs, STORY));
    const folders = [
      create('/memories/z/.hidden', 'x'),
      create('/memories/z/q/deeper/x', 'x'),
      view('/memories'),
      view('/memories/z'),
    ];
    const [mine, other] = [await told(ours, folders), await told(theirs, folders)];
    expect(mine.map(withoutFolderSizes)).toEqual(other.map(withoutFolderSizes));
  });

  it('loses no edit of many at once, and makes a file only once', async () => {
    const client = await open();
    const tools = [1, 2].map(() => keepsakeMemoryExecutor({ client }));
    const path = '/memories/list.md';
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) => tools[i % 2]!(create(path, 'end') as never)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        tools[i % 2]!({ command: 'insert', path, insert_line: 0, insert_text: `line ${i}` } as never),
      ),
    );
    const lines = (await tools[0]!(view(path) as never)).split('\n').slice(1);
    expect(lines).toHaveLength(9);
    // A file cannot become a folder while it exists, however the two meet.
    const both = [create('/memories/x', '1'), create('/memories/x/y', '2')];
    const outcomes = await Promise.allSettled(both.map((command, i) => tools[i]!(command as never)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

it('[matrix] anthropic · users: each user has files of his own, and what others remembered about him is a file, too', async () => {
  const client = await PLACES[0].open();
  const [anna, ben] = ['anna', 'ben'].map((user) => betaMemoryTool(keepsakeMemory({ client, user })));
  await anna!.run(create('/memories/plan.md', 'Lisbon in May') as never);
  await client.agent({ name: 'assistant', user: 'anna' }).memory.add({ content: 'Anna is a vegetarian.' });
  const shown = String(await anna!.run(view('/memories') as never));
  expect(shown).toContain('/memories/plan.md');
  expect(await anna!.run(view('/memories/remembered.md') as never)).toContain('Anna is a vegetarian.');
  await expect(anna!.run({ command: 'delete', path: '/memories/remembered.md' } as never)).rejects.toThrow(
    'read-only',
  );
  expect(String(await ben!.run(view('/memories') as never)).split('\n')).toHaveLength(2);
  const [hit] = await client.agent({ name: 'assistant', user: 'anna' }).items.search('travel plan in May');
  expect(hit).toMatchObject({ key: '/memories/plan.md' });
});
