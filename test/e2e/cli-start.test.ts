/** The first minutes: the overview, the help pages, and the demonstration that `npm start` runs. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/surfaces/cli/command-table.ts';
import { json, runCli, temporaryFolder } from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });

describe('demo', () => {
  it('kills the writer and finds its memory, the first time', async () => {
    const { code, stdout, stderr } = await run('demo', '--workspace', 'play');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/1\. Process \d+ stored a memory/);
    expect(stdout).toMatch(/2\. It was killed with SIGKILL/);
    expect(stdout).toMatch(
      /RELEVANCE +SCORE.*\n +\d\.\d\d +\d\.\d\d .*preference +mem_\w+ +Prefers short answers/,
    );
    expect(stdout).toMatch(/Try next:\n {2}node .*keepsake\.js memory add .* --workspace play/);
  });

  it('speaks of another terminal when a server will keep this one busy, as "npm start" does', async () => {
    const { stdout } = await run('demo', '--workspace', 'play', '--then-serving');
    expect(stdout).toMatch(
      /Try next, in another terminal; the inspector shows it at once:\n {2}node .* memory add/,
    );
    expect(readFileSync(join(import.meta.dirname, '../../scripts/start.mjs'), 'utf8')).toContain(
      "'--then-serving'",
    );
  });

  it('recalls what is there, the next time', async () => {
    const first = await ask<{ firstStart: boolean; killed: { signal: string }; memory: { id: string } }>(
      ...['demo', '--workspace', 'play'],
    );
    expect(first).toMatchObject({ firstStart: true, killed: { signal: 'SIGKILL' }, recalled: true });
    await run('memory', 'add', 'mine', '--workspace', 'play');
    expect(await ask('demo', '--workspace', 'play')).toMatchObject({
      firstStart: false,
      memories: [{ content: 'mine' }, { id: first.memory.id }],
    });
    const { stdout } = await run('demo', '--workspace', 'play');
    expect(stdout).toContain('welcome back');
    expect(stdout).not.toContain('SIGKILL');
  });

  it('leaves nothing behind without a workspace', async () => {
    const env = { TMPDIR: cwd };
    expect(await runCli(['demo', '--quiet'], { cwd, env })).toMatchObject({ code: 0, stderr: '' });
    // Node keeps compiled code there.
    expect(readdirSync(cwd).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  });
});

/** Of a part of the bundle, without its hash. */
const nameOf = (file: string): string => file.replace(/(?:-[\w-]{8})?\.cjs$/, '');

describe('help', () => {
  it('is friendly without any argument', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Keepsake \d+\.\d+\.\d+ · memory for AI agents\n/);
    expect(await ask()).toEqual({ version: expect.any(String) });
  });

  it('is there for every command, with examples at the bottom', async () => {
    const { stdout: overall } = await run('--help');
    const commands = [...overall.matchAll(/^ {2}(\w[\w-]*)(?: \[\w+\])? {2,}/gm)].map(([, name]) => name!);
    expect(commands).toEqual([...COMMANDS.map(({ name }) => name), 'help']);
    for (const name of commands.filter((each) => each !== 'help')) {
      const { code, stdout } = await run(name, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: keepsake ${name}`);
      expect(stdout).toMatch(/\nExamples:\n(?: {2}.*keepsake .*\n)+\n?$/);
    }
  });

  it('is the same by its other name', async () => {
    expect((await run('help', 'memory')).stdout).toBe((await run('memory', '--help')).stdout);
  });

  it('prints the version wherever the flag stands', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect((await run('--version')).stdout).toBe(`${version}\n`);
    expect((await run('--no-color', '--version')).stdout).toBe(`${version}\n`);
  });

  it('loads neither schemas nor a database', async () => {
    const hook = join(cwd, 'hook.mjs');
    appendFileSync(
      hook,
      `import { registerHooks } from 'node:module';
       registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`,
    );
    const env = { NODE_OPTIONS: `--import=${hook}` };
    const folder = join(import.meta.dirname, '../../dist/bundle');
    const withSchemas = readdirSync(folder).filter(
      (file) => file.endsWith('.cjs') && readFileSync(join(folder, file), 'utf8').includes('$ZodType'),
    );
    expect(withSchemas.map(nameOf)).toEqual(['engine']);
    /** Packages, and parts of the bundle. */
    const loadedBy = async (...args: string[]): Promise<string[]> => {
      const { stderr } = await runCli(args, { cwd, env });
      const packages = [...stderr.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)];
      const parts = [...stderr.matchAll(/dist\/bundle\/(.+\.cjs)$/gm)];
      return [...packages.map(([, name]) => name!), ...parts.map(([, file]) => nameOf(file!))];
    };
    for (const loaded of [await loadedBy('--help'), await loadedBy()]) {
      expect(loaded.filter((name) => name !== 'rolldown-runtime')).toEqual(['main', 'start']);
    }
    expect(await loadedBy('memory', 'add', '--help')).not.toContain('better-sqlite3');
    expect(await loadedBy('memory', 'add', 'x')).toEqual(
      expect.arrayContaining(['better-sqlite3', 'engine', 'sqlite']),
    );
    // Each part more is found, read and compared with what was compiled before.
    const parts = (await loadedBy('memory', 'search', 'x')).filter((name) => name !== 'better-sqlite3');
    expect(new Set(parts).size).toBeLessThan(10);
  });
});
