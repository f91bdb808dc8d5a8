/** init, backup, restore and config: the commands around the memories. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  everything,
  json,
  runCli,
  runOnTerminal,
  temporaryFolder,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });

describe('init', () => {
  it('without a folder makes the one that $WORKSPACE_DIR names', async () => {
    const folder = join(temporaryFolder(), 'named');
    const { code, stdout } = await runCli(['init', '--quiet'], { cwd, env: { WORKSPACE_DIR: folder } });
    expect([code, stdout.trim()]).toEqual([0, folder]);
    expect(existsSync(join(folder, 'keepsake.jsonc'))).toBe(true);
  });

  it('makes a workspace and says what to do next', async () => {
    const { code, stdout, stderr } = await run('init', '--name', 'assistant');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`✓ ${cwd} is a workspace now.`);
    expect(stdout).toContain('+ keepsake.jsonc');
    expect(stdout).toContain('memory add');
    expect(readFileSync(join(cwd, 'keepsake.jsonc'), 'utf8')).toContain('"name": "assistant"');
    expect(await ask('memory', 'add', 'x')).toMatchObject({ agent: 'assistant' });
  });

  it('changes nothing the second time', async () => {
    await run('init', 'sub', '--name', 'first');
    const before = everything(cwd);
    const { code, stdout } = await run('init', 'sub', '--name', 'second');
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was changed');
    expect(everything(cwd)).toEqual(before);
  });

  it('takes the folder from --workspace, and prints it with --quiet', async () => {
    const { stdout } = await run('init', '--workspace', 'there', '--quiet');
    expect(stdout).toBe(`${join(cwd, 'there')}\n`);
    expect(existsSync(join(cwd, 'there/keepsake.jsonc'))).toBe(true);
  });

  it('is found from a folder below, and by $WORKSPACE_DIR', async () => {
    await run('init', 'sub', '--name', 'below');
    mkdirSync(join(cwd, 'sub/deep/er'), { recursive: true });
    const below = await json(['memory', 'add', 'x'], { cwd: join(cwd, 'sub/deep/er') });
    expect(below).toMatchObject({ agent: 'below' });
    const byVariable = await json(['memory', 'list'], { cwd, env: { WORKSPACE_DIR: join(cwd, 'sub') } });
    expect(byVariable).toHaveLength(1);
  });
});

describe('backup and restore', () => {
  it('brings everything back, keeps what was there, and says where', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'before the backup');
    const { code, stdout, stderr } = await run('backup');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, backup = ''] = /Backed up to (.*)\n/.exec(stdout)!;
    expect(backup).toMatch(/\/backups\/keepsake-\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.db$/);
    expect(stdout).toContain('1 memory, 0 messages');
    await run('memory', 'add', 'after the backup');

    const restored = await ask<{ records: number; previous: { file: string; intact: boolean } }>(
      'restore',
      backup,
    );
    expect(restored).toMatchObject({ records: 1, previous: { intact: true } });
    expect(await ask('memory', 'list')).toMatchObject([{ content: 'before the backup' }]);

    const back = await run('restore', restored.previous.file);
    expect(back.code).toBe(0);
    expect(back.stdout).toMatch(/What was there before is kept in .*before-restore/);
    expect(await ask('memory', 'list')).toHaveLength(2);
  });

  it('gives two backups of one second two names, and overwrites none', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'x');
    const runs = [await run('backup', '--quiet'), await run('backup', '--quiet')];
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(2);
    expect(readFileSync(join(cwd, 'backups', '.gitignore'), 'utf8')).toBe('*\n');
    writeFileSync(join(cwd, 'mine.db'), 'precious');
    expect((await run('backup', 'mine.db')).code).toBe(65);
    expect(readFileSync(join(cwd, 'mine.db'), 'utf8')).toBe('precious');
  });

  it('refuses to back up nothing, and makes no database for it', async () => {
    cwd = temporaryWorkspace();
    expect(await run('backup')).toMatchObject({ code: 66, stdout: '' });
    expect(readdirSync(join(cwd, 'data'))).toEqual(['.gitignore']);
  });

  it('restores in the place of a damaged database, which is kept', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'precious');
    await run('backup', 'safe.db');
    const garbage = 'garbage '.repeat(1000);
    writeFileSync(join(cwd, 'data/keepsake.db'), garbage);
    expect((await run('memory', 'list')).code).toBe(74);
    const { code, stdout } = await run('restore', 'safe.db');
    expect(code).toBe(0);
    expect(stdout).toContain('(it was damaged)');
    const [, kept = ''] = /kept in (.*) \(/.exec(stdout)!;
    expect(readFileSync(kept, 'utf8')).toBe(garbage);
    expect(await ask('memory', 'list')).toMatchObject([{ content: 'precious' }]);
  });

  it('restores into an empty workspace', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'precious');
    await run('backup', 'safe.db');
    await run('init', 'other');
    expect((await run('restore', 'safe.db', '--workspace', 'other')).stdout).toContain(
      'There was no database before.',
    );
    expect(await ask('memory', 'list', '--workspace', 'other')).toHaveLength(1);
  });

  it('refuses what is no backup and leaves the database alone', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'x');
    writeFileSync(join(cwd, 'fake.db'), 'no backup');
    expect((await run('restore', 'missing.db')).code).toBe(66);
    expect([65, 74]).toContain((await run('restore', 'fake.db')).code);
    expect(await ask('memory', 'list')).toHaveLength(1);
  });

  it('asks on a terminal, and shows progress there', async () => {
    cwd = temporaryWorkspace();
    await run('memory', 'add', 'x');
    const backup = await runOnTerminal(['backup', 'safe.db'], { cwd });
    expect(backup.screen).toMatch(/Backing up █+ 100 %/);
    await run('memory', 'add', 'y');
    expect((await runOnTerminal(['restore', 'safe.db'], { cwd, answer: 'n\n' })).code).toBe(130);
    expect(await ask('memory', 'list')).toHaveLength(2);
    expect((await runOnTerminal(['restore', 'safe.db', '--yes'], { cwd })).code).toBe(0);
    expect(await ask('memory', 'list')).toHaveLength(1);
  });
});

describe('config', () => {
  it('shows what holds and who said so', async () => {
    writeFileSync(
      join(cwd, 'keepsake.jsonc'),
      '{ "memory": { "enabled": true }, "ttl": { "manual": "36h" } }',
    );
    const env = { KEEPSAKE_HISTORY: 'high' };
    const { stdout } = await runCli(['config'], { cwd, env });
    expect(stdout).toMatch(/memory\.enabled +keepsake\.jsonc +true/);
    expect(stdout).toMatch(/memory\.maxEntries +default +200/);
    expect(stdout).toMatch(/history +\$KEEPSAKE_HISTORY +"high"/);
    expect(stdout).toMatch(/ttl\.manual +keepsake\.jsonc +"36h"/);
    expect(stdout).toMatch(/ttl\.task_completion +default +"7d"/);
    const changed = await runCli(['config', '--changed', '--quiet'], { cwd, env });
    expect(changed.stdout).toBe('memory.enabled=true\nhistory="high"\nttl.manual="36h"\n');
  });

  it('keeps passwords to itself', async () => {
    const env = {
      KEEPSAKE_STORAGE_DRIVER: 'postgres',
      KEEPSAKE_STORAGE_URL: 'postgres://me:hunter2@localhost/x',
    };
    for (const args of [['config'], ['config', '--json']]) {
      const { code, stdout } = await runCli(args, { cwd, env });
      expect(code).toBe(0);
      expect(stdout).toContain('postgres://me:***@localhost/x');
      expect(stdout).not.toContain('hunter2');
    }
  });
});
