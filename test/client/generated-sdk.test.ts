/** The SDK is what the verbs say: written again from them, with a method, types and hover texts for each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { API } from 'typescript/unstable/sync';
import { describe, expect, it } from 'vitest';
import { generateSdk, readSdk } from '../../scripts/generate-sdk.ts';
import { methodsOf } from '../../scripts/sdk/methods.ts';
import type { Call } from '../../src/client/call.ts';
import type { AgentMemory } from '../../src/index.ts';
import type { KeepsakeError } from '../../src/kernel/errors.ts';
import { type AnyVerb, callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { verbs as verbsAndOne } from './support/count-words.ts';

const root = join(import.meta.dirname, '../..');
const methods = methodsOf(verbs);

const sorted = (files: readonly { name: string; text: string }[]) =>
  [...files].sort((a, b) => (a.name < b.name ? -1 : 1));

it('is up to date; else run "npm run sdk"', () => {
  expect(sorted(readSdk())).toEqual(sorted(generateSdk()));
});

it('explains every method, and every field that one takes', () => {
  expect(methods.length).toBeGreaterThan(35);
  for (const { verb, positionals, rest } of methods) {
    expect(verb.description, verb.name).toMatch(/^[A-Z].*\.$/);
    for (const { name, description } of [...positionals, ...(rest?.fields ?? [])]) {
      expect(description, `${verb.name} ${name}`).toMatch(/\.$|\.`$/);
    }
  }
  const options = readFileSync(join(root, 'src/client/sdk/memory-options.ts'), 'utf8');
  expect(options).toContain(
    '  /** How sure it is, from 0 to 1. Default 1. */\n  readonly confidence?: number',
  );
});

it.each([
  'client/agent-handle.ts',
  'client/conversation-settings.ts',
  'conversation/conversation-options.ts',
])('what is written by hand is explained, too: %s', (file) => {
  const text = readFileSync(join(root, 'src', file), 'utf8');
  const options = [
    ...text.matchAll(/export interface (\w*(?:Options|Settings|StaticMessages)).*\{\n([^}]*)\}/g),
  ];
  expect(options.length).toBeGreaterThan(0);
  for (const [, name, body = ''] of options) {
    const lines = body.split('\n');
    const bare = lines.filter(
      (line, i) => /^ {2}readonly \w+/.test(line) && !/\*\/$/.test(lines[i - 1] ?? ''),
    );
    expect(bare, name).toEqual([]);
  }
});

describe('who can call what', () => {
  const given = {
    ...{ name: 'history_x.md', from: 'history_x.md', section: 'notes', role: 'User' },
    ...{ namespace: ['n'], keys: ['k'], writes: [{ op: 'clear', namespace: ['n'] }] },
  };
  const inputOf = (verb: AnyVerb, path: string) => {
    const { positionals, rest } = methods.find((method) => method.verb === verb)!;
    const required = [...positionals, ...(rest?.fields ?? [])].filter(({ isRequired }) => isRequired);
    return Object.fromEntries(
      required.map(({ name }) => [name, ({ ...given, path } as Record<string, unknown>)[name] ?? 'x']),
    );
  };
  /** The code of its error, and whether it asked for an agent. */
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code, hint = '' }: KeepsakeError) =>
        code === 'INVALID_INPUT' && hint.includes('client.agent(') ? 'needs an agent' : code,
    );

  it('is true: what the owner lacks needs an agent, what agents lack is forbidden to them', async () => {
    const engine = await testWorkspace().open().open();
    const documents = temporaryFolder();
    const wrong: unknown[] = [];
    for (const { verb, who } of methods) {
      const call = (viewer: Parameters<typeof callVerb>[3]['viewer']) =>
        failureOf(callVerb(verb, engine, inputOf(verb, documents), { viewer, via: 'sdk' }));
      const asOwner = await call({ role: 'admin' });
      const asAgent = await call({ agent: 'alice', role: 'lead' });
      const isRight =
        (who === 'agent') === (asOwner === 'needs an agent') &&
        asOwner !== 'FORBIDDEN' &&
        (verb.role === 'admin') === (asAgent === 'FORBIDDEN') &&
        asAgent !== 'needs an agent';
      if (!isRight) wrong.push({ verb: verb.name, who, asOwner, asAgent });
    }
    expect(wrong).toEqual([]);
  });
});

/** Of the files in a folder only: the compiler would also look at every source that they import. */
function typeErrors(openProject: string, folder: string): string[] {
  const api = new API({ cwd: root });
  try {
    const { program } = api.updateSnapshot({ openProject }).getProjects()[0]!;
    const files = program.getSourceFileNames().filter((file) => file.startsWith(folder));
    expect(files.length).toBeGreaterThan(10);
    return files.flatMap((file) =>
      program.getSemanticDiagnostics(file).map(({ text, pos }) => `${file}:${pos} ${text}`),
    );
  } finally {
    api.close();
  }
}

describe('a verb that is added', () => {
  const source = (path: string) => join(root, path);
  function writeSdk(): string {
    const folder = temporaryFolder();
    const files = generateSdk(verbsAndOne, {
      verbs: source('test/client/support/count-words.ts'),
      kernel: source('src/kernel'),
      call: source('src/client/call.ts'),
    });
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return folder;
  }

  it('is a method with types and hover texts, by its definition alone', async () => {
    const folder = writeSdk();
    const text = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(text('memory.ts')).toContain(
      `  /** Counts the words of one memory, in files such as notes/**\\/*.md too. */
  countWords(`,
    );
    expect(text('memory-options.ts')).toContain(`export interface MemoryCountWordsOptions {
  /** Only words with so many letters. Default 1. */
  readonly atLeast?: number | undefined;
  /** Where words end. */
  readonly language?: 'de' | 'en' | undefined;
}`);
    writeFileSync(
      join(folder, 'use.ts'),
      `import { AgentVerbs, type MemoryCountWordsOptions } from './index.ts';
       const { memory } = new AgentVerbs(null!);
       const options: MemoryCountWordsOptions = { atLeast: 2, language: 'de' };
       export const words: number = (await memory.countWords('x', options)).words;
       // @ts-expect-error: it is a number.
       await memory.countWords('x', { atLeast: 'two' });
       // @ts-expect-error: it has no such option.
       await memory.countWords('x', { most: 2 });
       // @ts-expect-error: the id is needed.
       await memory.countWords();
       // @ts-expect-error: that is not in the answer.
       export const letters = (await memory.countWords('x')).letters;`,
    );
    const settings = {
      extends: source('tsconfig.json'),
      compilerOptions: {
        typeRoots: [source('node_modules/@types')],
        rewriteRelativeImportExtensions: false,
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    expect(typeErrors(join(folder, 'tsconfig.json'), folder)).toEqual([]);
  });

  it('works', async () => {
    const client = testWorkspace().open();
    const { id } = await client.agent({ name: 'alice' }).memory.add({ content: 'Prefers tea to coffee.' });
    const engine = await client.open();
    const call: Call = (verb, input) =>
      callVerb(verb, engine, input, { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' });
    const { AgentVerbs } = await import(pathToFileURL(join(writeSdk(), 'index.ts')).href);
    const { memory } = new AgentVerbs(call) as {
      memory: AgentMemory & {
        countWords(id: string, options?: { atLeast?: number }): Promise<{ words: number }>;
      };
    };
    expect(await memory.countWords(id)).toEqual({ words: 4 });
    expect(await memory.countWords(id, { atLeast: 4 })).toEqual({ words: 2 });
    await expect(memory.countWords(id, { atLeast: 1.5 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    // What was there before is there still.
    expect(await memory.search('tea')).toMatchObject([{ id }]);
  });
});
