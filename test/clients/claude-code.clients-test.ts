/** Claude Code from npm: server and hooks after one command, and what happens offline, without Keepsake and with a damaged database. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Machine, machine, root } from './support/machine.ts';

const print = (prompt: string, ...more: string[]) => [
  '-p',
  prompt,
  '--dangerously-skip-permissions',
  ...more,
];
const claude = (world: Machine, prompt: string, ...more: string[]) =>
  world.client('claude', print(prompt, ...more), { IS_SANDBOX: '1' });
const contents = async (world: Machine) =>
  (await world.json<{ content: string }[]>('memory', 'list')).map(({ content }) => content);

async function installed(): Promise<Machine> {
  const world = await machine();
  const { code, stderr } = await world.keepsake('mcp', 'install', 'claude-code', '--yes');
  expect(code, stderr).toBe(0);
  // Hooks never make a workspace; the first write does.
  await world.keepsake('init', '--workspace', join(world.home, '.keepsake'));
  return world;
}

it('stores through the tool, and shows it in the next session without being asked', async () => {
  const world = await installed();
  const first = await claude(world, 'TOOL remember content=The staging server is called heron. END');
  expect(first.code, first.stderr).toBe(0);
  expect(await contents(world)).toEqual(['The staging server is called heron.']);
  const before = world.model.requests.length;
  await claude(world, 'What is the staging server called?');
  const seen = world.model.requests.slice(before).join('\n');
  expect(seen).toContain('heron');
  expect(seen).toContain('Markdown notes that you write into');
});

it('learns what the user plainly asked to keep when a session ends, without a model', async () => {
  const world = await installed();
  await claude(world, 'Remember that our deploys happen on Tuesdays.');
  await vi.waitFor(async () => expect(await contents(world)).toEqual(['Our deploys happen on Tuesdays.']), {
    timeout: 30_000,
    interval: 500,
  });
});

it('compacts without raw output, and keeps the summary', async () => {
  const world = await installed();
  const { stdout } = await claude(world, 'Hello there, please say something.');
  expect(stdout.trim()).toBe('Done.');
  const again = await claude(world, '/compact', '--continue');
  expect(`${again.stdout}${again.stderr}`).not.toMatch(/^\{\}$/m);
  const [summary] = await world.json<{ source: string; content: string }[]>(
    'memory',
    'list',
    '--source',
    'session_summary',
  );
  expect(summary?.content).toBeTruthy();
  expect(summary?.content).not.toContain('<analysis>');
});

it('goes on with a damaged database', async () => {
  const world = await installed();
  await world.keepsake('memory', 'add', 'x');
  const data = join(world.home, '.keepsake/data');
  for (const name of readdirSync(data).filter((each) => each.startsWith('keepsake.db')))
    writeFileSync(join(data, name), 'this is not a database '.repeat(500));
  const { code, stdout } = await claude(world, 'Hello there, please answer.');
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'Done.' });
});

it('goes on with the plugin where Keepsake is not installed, and does not wait for a registry', async () => {
  const world = await machine();
  const started = performance.now();
  const { code, stdout } = await claude(
    world,
    'Hello there, please answer.',
    '--plugin-dir',
    join(root, 'integrations/claude-code'),
    '--output-format',
    'stream-json',
    '--verbose',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('Done.');
  expect(performance.now() - started).toBeLessThan(60_000);
});

it('finds an installed Keepsake with the launcher of the plugin', async () => {
  const world = await machine();
  await world.keepsake('mcp', 'install', 'cursor', '--yes', '--global');
  await claude(
    world,
    'TOOL remember content=The mast is oak. END',
    '--plugin-dir',
    join(root, 'integrations/claude-code'),
  );
  expect(await contents(world)).toEqual(['The mast is oak.']);
});

it('two sessions at once lose nothing', async () => {
  const world = await installed();
  await Promise.all(
    ['one', 'two'].map((number) => claude(world, `TOOL remember content=Fact ${number} of two. END`)),
  );
  expect((await contents(world)).sort()).toEqual(['Fact one of two.', 'Fact two of two.']);
});
