/** `keepsake doctor`: what it finds, what it mends, and that it touches nothing before it is asked to. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../src/administration/doctor.ts';
import { rerankingServer } from '../fixtures/reranking-server.ts';
import {
  everything,
  json,
  restrict,
  runCli,
  temporaryFolder,
  withoutRoot,
} from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

const run = (...args: string[]) => runCli(args, { cwd });
const ask = <T>(...args: string[]) => json<T>(args, { cwd });

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

  it('fails for a workspace that was named and does not exist', async () => {
    for (const fix of [[], ['--fix']]) {
      const missing = await doctor('--workspace', join(cwd, 'mispelt'), ...fix);
      expect(missing).toMatchObject({ ok: false, exit: 74 });
      expect(problems(missing)).toMatchObject([{ check: 'workspace.present' }]);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('asks the reranker that is configured', async () => {
    const server = await rerankingServer();
    const configure = (rerankerUrl: string) =>
      writeFileSync(
        join(cwd, 'keepsake.jsonc'),
        JSON.stringify({ models: { reranker: 'server/judge', rerankerUrl } }),
      );
    configure(server.url);
    const well = await doctor();
    expect(well.ok).toBe(true);
    expect(well.findings).toContainEqual({
      check: 'reranker.server',
      severity: 'ok',
      message: 'The reranker server/judge answers.',
    });
    configure('http://127.0.0.1:9');
    expect(await doctor()).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
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
    restrict(cwd, 0o555);
    const { code, stdout } = await runCli(['doctor'], { cwd, prefix: withoutRoot });
    expect(code).toBe(77);
    expect(stdout).toContain(`✗ This user has no permission to write to ${cwd}.`);
    const workspace = join(cwd, 'not', 'there');
    const beyond = await runCli(['doctor', '--workspace', workspace], { cwd: '/', prefix: withoutRoot });
    // The first problem is that the workspace does not exist, and it decides the exit code.
    expect(beyond.code).toBe(74);
    expect(beyond.stdout).toContain(
      `✗ ${workspace} cannot be created: this user has no permission to write to ${cwd}.`,
    );
  });

  it('leads out of a broken configuration: the keys are listed all the same', async () => {
    writeFileSync(join(cwd, 'keepsake.jsonc'), '{ "memroy": {} }');
    expect((await run('config')).stderr).toContain('"keepsake config --defaults" lists every key');
    const { code, stdout } = await run('config', '--defaults', '--quiet');
    expect(code).toBe(0);
    expect(stdout).toContain('memory.maxEntries=200\n');
    restrict(join(cwd, 'keepsake.jsonc'), 0o000);
    const unreadable = await runCli(['doctor'], { cwd, prefix: withoutRoot });
    expect(unreadable.stdout).toContain('Change the owner or the permissions of the file');
  });
});
