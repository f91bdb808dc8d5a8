/** Every class of failure: its exit code, a message with a hint for people, JSON for programs, and never a stack trace. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode } from '../../src/kernel/errors.ts';
import {
  json,
  type Run,
  type RunOptions,
  restrict,
  runCli,
  temporaryFolder,
  temporaryWorkspace,
  withoutRoot,
} from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

interface Failure {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}

/** Fails the same way for people and for programs, and returns what was said. */
async function expectFailure(
  code: ErrorCode,
  args: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Failure['error']> {
  const [asJson, inWords] = await Promise.all(
    [[...args, '--json'], args].map((words) => runCli(words, { cwd, ...options })) as [
      Promise<Run>,
      Promise<Run>,
    ],
  );
  expect(asJson.stdout).toBe('');
  const { error } = JSON.parse(asJson.stderr) as Failure;
  expect(error.code).toBe(code);
  expect(asJson.code).toBe(ERROR_TABLE[code].exit);

  expect(inWords.stdout).toBe('');
  expect(inWords.stderr).toMatch(/^error: /);
  expect(inWords.stderr).not.toMatch(/^\s+at /m);
  expect(inWords.code).toBe(ERROR_TABLE[code].exit);
  if (error.hint !== undefined) expect(inWords.stderr).toContain(`hint: ${error.hint}`);
  return error;
}

const add = (...args: string[]) => json<{ id: string }>(['memory', 'add', ...args], { cwd });

describe('watch', () => {
  it('does not wait for events that there are none of', async () => {
    const { code, stderr } = await runCli(['watch', '--type', 'memory.wrotten'], {
      cwd: temporaryWorkspace(),
    });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('memory, session, conversation, storage, swarm'),
    ]);
  });
});

describe('usage', () => {
  it.each([
    [['memry'], /Unknown command 'memry'/, 'Did you mean memory?'],
    [['mem'], /Unknown command/, 'Did you mean memory?'],
    [['search', 'x'], /Unknown command 'search'/, 'Did you mean "keepsake memory search"?'],
    [['mcp', 'instal', 'zed'], /Unknown command 'mcp instal'/, 'Did you mean "keepsake mcp install"?'],
    [['memory', 'serach', 'x'], /Unknown command 'serach'/, 'Did you mean search?'],
    [['memory', 'list', '--agnet', 'x'], /Unknown option '--agnet'/, 'Did you mean --agent?'],
    [['--jsno'], /Unknown option/, 'Did you mean --json?'],
    [['doctor', '--fx'], /Unknown option/, 'Did you mean --fix?'],
    [
      ['memory', 'get'],
      /Missing required argument 'id'/,
      'Run "keepsake memory get --help" to see what it takes.',
    ],
    [
      ['memory', 'get', 'a', 'b'],
      /Too many arguments/,
      'Run "keepsake memory get --help" to see what it takes.',
    ],
    [
      ['memory', 'list', '--limit', 'many'],
      /Expected a whole number/,
      'Run "keepsake memory list --help" to see what it takes.',
    ],
    [
      ['memory', 'list', '--limit', '0'],
      /^--limit: /,
      'Run "keepsake memory list --help" to see what it takes.',
    ],
    [['memory', 'add', '--category', ''], /content is missing/, undefined],
    [['memory', 'add', 'x', '--confidence', '2'], /^--confidence: /, undefined],
    [['memory', 'add', 'x', '--content', 'y'], /given twice/, undefined],
    [['memory', 'add', '- buy milk'], /Unknown option/, undefined],
    [['memory', 'add', '  '], /must not be empty/, undefined],
  ])('INVALID_INPUT for %j', async (args, message, hint) => {
    const error = await expectFailure('INVALID_INPUT', args);
    expect(error.message).toMatch(message);
    if (hint !== undefined) expect(error.hint).toBe(hint);
  });

  it('shows the help of a group without a verb, as a failure', async () => {
    const { code, stdout, stderr } = await runCli(['memory'], { cwd });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(/Usage: keepsake memory/);
  });

  it('notices a flag without its value', async () => {
    const { code, stderr } = await runCli(['memory', 'list', '--workspace'], { cwd });
    expect(code).toBe(64);
    expect(stderr).toContain('argument missing');
  });

  it('refuses what is not UTF-8', async () => {
    const stdin = Uint8Array.of(0x66, 0xff, 0xfe);
    expect((await expectFailure('INVALID_INPUT', ['memory', 'add', '-'], { stdin })).message).toContain(
      'UTF-8',
    );
  });

  it('INVALID_NAME', async () => {
    await expectFailure('INVALID_NAME', ['memory', 'add', 'x', '--agent', '../../evil']);
    expect(existsSync(join(cwd, '../../evil'))).toBe(false);
    await expectFailure('INVALID_NAME', ['init', 'elsewhere', '--name', 'a/b']);
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
    await add('x', '--agent', 'Case');
    await expectFailure('INVALID_NAME', ['memory', 'add', 'x', '--agent', 'case']);
  });
});

describe('memories', () => {
  it('NOT_FOUND, for what does not exist and for what is not yours alike', async () => {
    const { id } = await add('private', '--agent', 'owner');
    for (const verb of ['get', 'forget']) {
      await expectFailure('NOT_FOUND', ['memory', verb, 'mem_00000000000000000000000000']);
      const error = await expectFailure('NOT_FOUND', ['memory', verb, id, '--agent', 'stranger']);
      expect(error.message).toBe(`There is no memory ${id}.`);
    }
  });

  it('FORBIDDEN', async () => {
    const { id } = await add('shared', '--agent', 'owner', '--scope', 'swarm');
    await expectFailure('FORBIDDEN', ['memory', 'update', id, 'mine now', '--agent', 'stranger']);
    await expectFailure('FORBIDDEN', ['memory', 'forget', id, '--agent', 'stranger']);
  });

  it('CONFLICT', async () => {
    const { id } = await add('text');
    await expectFailure('CONFLICT', ['memory', 'update', id, 'other', '--if-version', '2']);
  });

  it('FORGOTTEN', async () => {
    const { id } = await add('text');
    await runCli(['memory', 'forget', id], { cwd });
    await expectFailure('FORGOTTEN', ['memory', 'update', id, 'back']);
  });

  it('TOO_LARGE, for 10 MB and for a stream without end', async () => {
    const error = await expectFailure('TOO_LARGE', ['memory', 'add', '-'], { stdin: 'x'.repeat(10_000_000) });
    expect(error.message).toBe(
      '<content>: Content has at most 1000000 characters, and this one has 10000000.',
    );
    await expectFailure('TOO_LARGE', ['memory', 'add', '-'], { stdin: Buffer.alloc(40_000_000, 'x') });
    expect(await json(['memory', 'list'], { cwd })).toEqual([]);
  });

  it('READ_ONLY', async () => {
    const { id } = await add('text');
    const env = { KEEPSAKE_MEMORY_READ_ONLY: 'true' };
    await expectFailure('READ_ONLY', ['memory', 'add', 'x'], { env });
    await expectFailure('READ_ONLY', ['memory', 'forget', id], { env });
    expect(await json(['memory', 'get', id], { cwd, env })).toMatchObject({ content: 'text' });
  });
});

describe('the workspace', () => {
  it('NOT_FOUND for a workspace that was mistyped, which is not created', async () => {
    const workspace = join(cwd, 'tpyo');
    const error = await expectFailure('NOT_FOUND', ['memory', 'list', '--workspace', workspace]);
    expect(error.hint).toContain('keepsake init');
    expect(existsSync(workspace)).toBe(false);
  });

  it('INVALID_CONFIG with file, line, column and the nearest name', async () => {
    const file = join(cwd, 'keepsake.jsonc');
    writeFileSync(file, '{\n  // mine\n  "memory": { "enabeld": true },\n  "history": "hihg",\n}\n');
    const { message } = await expectFailure('INVALID_CONFIG', ['memory', 'list']);
    expect(message).toContain(`${file}:3:15 memory.enabeld: unknown key; did you mean "enabled"?`);
    expect(message).toMatch(/:4:14 history: .*did you mean "high"\?/);
    await expectFailure('INVALID_CONFIG', ['config']);
    await expectFailure('INVALID_CONFIG', ['backup']);
  });

  it('INVALID_CONFIG for an engine that cannot hold memory, with the key that it belongs into', async () => {
    const env = { KEEPSAKE_STORAGE_DRIVER: 'redis', KEEPSAKE_STORAGE_URL: 'redis://localhost' };
    const { message } = await expectFailure('INVALID_CONFIG', ['memory', 'list'], { env });
    expect(message).toContain('"redis" belongs in "storage.state"');
  });

  it('UNSUPPORTED for memories and messages in two engines', async () => {
    const env = {
      KEEPSAKE_STORAGE_DRIVER: 'postgres',
      KEEPSAKE_STORAGE_URL: 'postgresql://localhost:1/a',
      KEEPSAKE_STORAGE_LOG_URL: 'postgresql://localhost:1/b',
    };
    const { message } = await expectFailure('UNSUPPORTED', ['memory', 'list'], { env });
    expect(message).toContain('storage.log and storage.records must have the same engine');
  });

  it('BUSY when another process does not let go', async () => {
    await add('text');
    const database = new Database(join(cwd, 'data/keepsake.db'));
    try {
      database.exec('BEGIN IMMEDIATE');
      const env = { KEEPSAKE_STORAGE_SQLITE_BUSY_TIMEOUT_MS: '100' };
      await expectFailure('BUSY', ['memory', 'add', 'x'], { env });
      expect(await json(['memory', 'list'], { cwd, env })).toHaveLength(1);
    } finally {
      database.close();
    }
  });

  it('CORRUPT for a file that is no database, which is left as it is', async () => {
    const file = join(cwd, 'data/keepsake.db');
    writeFileSync(file, 'this is not a database, and never was one'.repeat(100));
    const error = await expectFailure('CORRUPT', ['memory', 'list']);
    expect(error.hint).toContain('keepsake doctor');
    expect(readdirSync(join(cwd, 'data'))).toEqual(['.gitignore', 'keepsake.db']);
  });

  it('TOO_NEW for a database of a newer version, which is not touched', async () => {
    await add('text');
    const file = join(cwd, 'data/keepsake.db');
    const database = new Database(file);
    database.pragma('user_version = 9999');
    database.close();
    const error = await expectFailure('TOO_NEW', ['memory', 'list']);
    expect(error.message).toContain('newer Keepsake');
    const after = new Database(file, { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(9999);
    after.close();
  });

  it('CONFLICT for a database of another program', async () => {
    const database = new Database(join(cwd, 'data/keepsake.db'));
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    await expectFailure('CONFLICT', ['memory', 'add', 'x']);
  });

  it('PERMISSION in a workspace that may not be read or written', async () => {
    const prefix = withoutRoot;
    await add('text');
    chmodSync(join(cwd, 'keepsake.jsonc'), 0o644);
    restrict(join(cwd, 'data'), 0o000);
    await expectFailure('PERMISSION', ['memory', 'list'], { prefix });

    const folder = temporaryFolder();
    writeFileSync(join(folder, 'keepsake.jsonc'), '{}');
    mkdirSync(join(folder, 'data'));
    restrict(join(folder, 'data'), 0o555);
    restrict(folder, 0o555);
    await expectFailure('PERMISSION', ['memory', 'add', 'x'], { prefix, cwd: folder });
    await expectFailure('PERMISSION', ['init', join(folder, 'sub')], { prefix, cwd: folder });
    expect(readdirSync(join(folder, 'data'))).toEqual([]);
  });
});

describe('KEEPSAKE_DEBUG', () => {
  it('adds the stack, also of the cause', async () => {
    const env = { KEEPSAKE_DEBUG: '1' };
    const { stderr } = await runCli(['memory', 'add', 'x', '--confidence', '7'], { cwd, env });
    expect(stderr).toMatch(/^error: --confidence/);
    expect(stderr).toMatch(/^ {4}at /m);
    expect(stderr).toContain('caused by');
  });
});

describe('a defect', () => {
  it('that escapes every catch is told in words, too', async () => {
    const hook = join(cwd, 'hook.mjs');
    writeFileSync(
      hook,
      `const write = process.stdout.write.bind(process.stdout);
       process.stdout.write = (...args) => {
         setImmediate(() => { throw new Error('escaped'); });
         return write(...args);
       };`,
    );
    const { code, stderr } = await runCli(['agents'], { cwd, env: { NODE_OPTIONS: `--import=${hook}` } });
    expect(code).toBe(ERROR_TABLE.INTERNAL.exit);
    expect(stderr).toMatch(/^error: escaped\nhint: .*report it.*\n$/);
  });
});
