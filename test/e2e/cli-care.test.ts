/** init, doctor, backup, restore, config, demo and the help: the commands around the memories. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../src/operations/workspace/doctor.ts';
import {
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

/** Every file below a folder with what is in it. SQLite's own side files hold nothing once everyone has left. */
function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'latin1') : '',
    ]),
  );
}

describe('init', () => {
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

describe('doctor', () => {
  const doctor = async (...args: string[]): Promise<DoctorReport & { exit: number | null }> => {
    const { code, stdout } = await run('doctor', '--json', ...args);
    return { ...(JSON.parse(stdout) as DoctorReport), exit: code };
  };
  const problems = ({ findings }: DoctorReport) => findings.filter(({ severity }) => severity === 'problem');

  it('creates nothing where nothing is', async () => {
    const { code, stdout } = await run('doctor');
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing here yet');
    expect(stdout).toMatch(/SQLite \d+\.\d+/);
    expect(readdirSync(cwd)).toEqual([]);
    await run('doctor', '--workspace', join(cwd, 'elsewhere'));
    await run('doctor', '--fix', '--workspace', join(cwd, 'elsewhere'));
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('finds all well, and changes no byte', async () => {
    await run('init');
    expect((await doctor()).ok).toBe(true);
    await run('memory', 'add', 'x');
    const before = everything(cwd);
    const { code, stdout, stderr } = await run('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const title of ['Program', 'Workspace', 'Configuration', 'Files and disk', 'Database', 'Memories']) {
      expect(stdout).toContain(`${title}\n  ✓ `);
    }
    expect(stdout).toMatch(/\nAll is well\.\n$/);
    expect(everything(cwd)).toEqual(before);
    expect((await run('doctor', '--quiet')).stdout).toBe('');
    expect((await run('doctor', '--verbose')).stdout.split('\n').length).toBeGreaterThan(
      stdout.split('\n').length,
    );
  });

  it('names every mistake of the configuration with its place', async () => {
    const file = join(cwd, 'keepsake.jsonc');
    writeFileSync(file, '{\n  "memroy": {},\n  "history": 7,\n}\n');
    const report = await doctor();
    expect(report).toMatchObject({ ok: false, exit: 78, code: 'INVALID_CONFIG' });
    expect(problems(report).map(({ message }) => message)).toEqual([
      expect.stringContaining(`${file}:2:3 memroy: `),
      expect.stringContaining(`${file}:3:14 history: `),
    ]);
    const { code, stdout } = await run('doctor', '--quiet');
    expect(code).toBe(78);
    expect(stdout).toMatch(/✗ .*memroy/);
    expect(stdout).toContain('2 problems.');
  });

  it('warns of a misspelt variable without failing', async () => {
    const { code, stdout } = await runCli(['doctor'], { cwd, env: { KEEPSAKE_HISTROY: 'low' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/! .*KEEPSAKE_HISTROY.*KEEPSAKE_HISTORY/);
  });

  it('reports a database that is damaged, without touching it', async () => {
    await run('init');
    const file = join(cwd, 'data/keepsake.db');
    writeFileSync(file, 'not a database at all, '.repeat(500), { mode: 0o600 });
    const before = everything(cwd);
    const report = await doctor();
    expect(report).toMatchObject({ ok: false, exit: 74, code: 'CORRUPT' });
    expect(problems(report)[0]!.hint).toContain('--fix');
    expect(everything(cwd)).toEqual(before);
  });

  it('reports a database of a newer version', async () => {
    await run('init');
    await run('memory', 'add', 'x');
    const database = new Database(join(cwd, 'data/keepsake.db'));
    database.pragma('user_version = 9999');
    database.close();
    expect(await doctor()).toMatchObject({ ok: false, exit: 78, code: 'TOO_NEW' });
    expect(await doctor('--fix')).toMatchObject({ ok: false, exit: 78, code: 'TOO_NEW' });
  });

  it('mends what it can with --fix, and only then', async () => {
    await run('init');
    await run('memory', 'add', 'x', '--agent', 'a');
    const database = new Database(join(cwd, 'data/keepsake.db'));
    database.exec('UPDATE agents SET facts = 17');
    database.close();
    mkdirSync(join(cwd, 'agents/a'));
    chmodSync(join(cwd, 'agents'), 0o755);
    const found = await doctor();
    expect(found.ok).toBe(false);
    expect(problems(found)[0]).toMatchObject({ check: 'agents.counters', fixable: true });
    expect(found.findings).toContainEqual(
      expect.objectContaining({ check: 'files.private', severity: 'notice' }),
    );
    expect(statSync(join(cwd, 'agents')).mode & 0o777).toBe(0o755);

    const fixed = await run('doctor', '--fix');
    expect(fixed.code).toBe(0);
    expect(fixed.stdout.match(/\(fixed\)/g)).toHaveLength(2);
    expect(statSync(join(cwd, 'agents')).mode & 0o777).toBe(0o700);
    expect(await ask('agents')).toMatchObject([{ name: 'a', facts: 1 }]);
    expect((await doctor()).findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  });

  it('sweeps what a crash left behind', async () => {
    await run('init');
    // A writer that died between creating its file and renaming it.
    const source = join(import.meta.dirname, '../../src/documents/temporary.ts');
    const program = `
      import { writeFileSync } from 'node:fs';
      import { reserve } from ${JSON.stringify(source)};
      const path = reserve(${JSON.stringify(join(cwd, 'agents'))});
      writeFileSync(path, 'half');
      console.log(path);`;
    const writer = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    const leftover = writer.stdout.trim();
    expect(existsSync(leftover)).toBe(true);
    expect((await run('doctor')).stdout).toMatch(/! 1 temporary file/);
    expect(existsSync(leftover)).toBe(true);
    expect((await run('doctor', '--fix')).stdout).toMatch(/1 temporary file.*\(fixed\)/);
    expect(existsSync(leftover)).toBe(false);
  });

  it('reports folders that may not be written', async () => {
    writeFileSync(join(cwd, 'keepsake.jsonc'), '{}');
    mkdirSync(join(cwd, 'agents'));
    const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const { code, stdout } = await runCli(['doctor'], { cwd, prefix });
    expect(code).toBe(77);
    expect(stdout).toContain(`✗ ${cwd} may not be written by this user.`);
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
    writeFileSync(join(cwd, 'mine.db'), 'precious');
    expect((await run('backup', 'mine.db')).code).toBe(65);
    expect(readFileSync(join(cwd, 'mine.db'), 'utf8')).toBe('precious');
  });

  it('refuses to back up nothing, and makes no database for it', async () => {
    cwd = temporaryWorkspace();
    expect(await run('backup')).toMatchObject({ code: 66, stdout: '' });
    expect(readdirSync(join(cwd, 'data'))).toEqual([]);
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
    expect(backup.screen).toContain('Backing up 100 %');
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
      KEEPSAKE_STORAGE_URL: 'postgres://me:secret@localhost/x',
    };
    for (const args of [['config'], ['config', '--json']]) {
      const { code, stdout } = await runCli(args, { cwd, env });
      expect(code).toBe(0);
      expect(stdout).toContain('postgres://me:***@localhost/x');
      expect(stdout).not.toContain('secret');
    }
  });
});

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

describe('help', () => {
  it('is friendly without any argument', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Keepsake \d+\.\d+\.\d+ · memory for AI agents\n/);
    expect(await ask()).toEqual({ version: expect.any(String) });
  });

  it('is there for every command, with examples at the bottom', async () => {
    const { stdout: overall } = await run('--help');
    const commands = [...overall.matchAll(/^ {2}(\w+)(?: \[\w+\])? {2,}/gm)].map(([, name]) => name!);
    expect(commands).toEqual([
      'init',
      'demo',
      'memory',
      'agents',
      'doctor',
      'backup',
      'restore',
      'config',
      'help',
    ]);
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
    const packagesOf = async (...args: string[]): Promise<string[]> => {
      const { stderr } = await runCli(args, { cwd, env });
      const names = [...stderr.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)].map(([, name]) => name!);
      return [...new Set(names)].sort();
    };
    expect(await packagesOf('--help')).toEqual(['commander']);
    expect(await packagesOf()).toEqual(['commander']);
    expect(await packagesOf('memory', 'add', '--help')).not.toContain('better-sqlite3');
    expect(await packagesOf('memory', 'list')).toContain('better-sqlite3');
  });
});
