/** Several processes write the sections of one agent at once: nothing is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { write } from './append-child.ts';
import { makeWorkspace } from './fixture.ts';

const CHILD = join(import.meta.dirname, 'append-child.ts');

/** Starts a writer and resolves once it is ready; it writes when it is let go. */
async function start(root: string, name: string): Promise<() => Promise<unknown>> {
  const child = spawn(process.execPath, [CHILD, root, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  // Also a child that dies ends its output.
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
  expect(String(said)).toBe('ready');
  return () => {
    child.stdin.end();
    return once(child, 'exit');
  };
}

it('D-17: 21 appends of three processes at once are all present, in the order of each process', async () => {
  const { root, client } = makeWorkspace();
  const names = ['one', 'two', 'here'];
  const letGo = await Promise.all([start(root, 'one'), start(root, 'two')]);
  const others = write(root, 'here', async () => {}).then(() => [0, null]);
  expect(await Promise.all([...letGo.map((go) => go()), others])).toEqual(names.map(() => [0, null]));
  const { sections } = client().agent({ name: 'assistant' });
  const log = (await sections.get('log')).content.split('\n');
  expect(log).toHaveLength(21);
  for (const name of names) {
    expect(log.filter((line) => line.startsWith(`${name} `))).toEqual(
      Array.from({ length: 7 }, (_, i) => `${name} ${i}`),
    );
    expect((await sections.get(`own ${name}`)).content).toBe('6');
  }
  expect(readdirSync(join(root, 'agents')).sort()).toEqual([
    '.assistant.memory.md.lock',
    'assistant.memory.md',
  ]);
});

it('D-17: 20 appends within one process are all present, in the order of the calls', async () => {
  const { client } = makeWorkspace();
  const { sections } = client().agent({ name: 'assistant' });
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  await Promise.all(lines.map((line) => sections.append('log', line)));
  expect((await sections.get('log')).content.split('\n')).toEqual(lines);
});
