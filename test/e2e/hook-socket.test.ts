/** Hooks that ask the MCP server of their workspace, in real processes; whatever is wrong with it, they answer by themselves. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { workspaceInit } from '../../src/administration/init.ts';
import {
  json,
  program,
  type RunOptions,
  runCli,
  temporaryFolder,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';

const PROMPT = 'When does the ferry to the island leave?';
const FERRY = 'The ferry to the island leaves at nine.';

/** Whether a process loaded the command line, which it does only to do the work itself. */
function spy(cwd: string) {
  const file = join(cwd, 'spy.cjs');
  const log = join(cwd, 'loaded.txt');
  writeFileSync(
    file,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(log)}, String(Object.keys(require.cache).some((name) => name.endsWith('main.cjs')))));`,
  );
  return {
    env: { NODE_OPTIONS: `--require ${file}` },
    didItself: () => readFileSync(log, 'utf8') === 'true',
  };
}

interface Asked {
  readonly text: string;
  readonly by: 'server' | 'itself';
}

let sessions = 0;

async function prompt(
  cwd: string,
  options: Partial<RunOptions> & { args?: string[]; session?: string } = {},
): Promise<Asked> {
  const { args = [], session = `s-${sessions++}`, env, ...more } = options;
  const watched = spy(temporaryFolder());
  const stdin = JSON.stringify({ session_id: session, prompt: PROMPT });
  const { code, stdout } = await runCli(['hook', 'user-prompt-submit', ...args], {
    ...{ cwd, stdin, ...more },
    env: { ...watched.env, ...env },
  });
  expect(code).toBe(0);
  const text = JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '';
  return { text, by: watched.didItself() ? 'itself' : 'server' };
}

const socketFolder = (cwd: string): string => join(cwd, 'data/sockets');
const sockets = (cwd: string): string[] =>
  existsSync(socketFolder(cwd)) ? readdirSync(socketFolder(cwd)) : [];

interface ServerOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where the socket is expected, if not in the current folder. */
  readonly workspace?: string;
}

async function startServer(cwd: string, { args = [], env = {}, workspace = cwd }: ServerOptions = {}) {
  const { PATH = '' } = process.env;
  const before = sockets(workspace).length;
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [program, 'mcp', ...args], cwd, stderr: 'pipe' },
    env: { PATH, HOME: join(cwd, 'home'), LANG: 'C.UTF-8', ...env },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const kill = (signal: NodeJS.Signals): void => void process.kill(transport.pid!, signal);
  const hasSocket = () =>
    vi.waitFor(
      () =>
        expect(sockets(workspace).filter((name) => name.endsWith('.sock')).length).toBeGreaterThan(before),
      {
        timeout: 20_000,
      },
    );
  return { client, kill, hasSocket };
}

async function workspaceWith(content: string): Promise<string> {
  const cwd = temporaryWorkspace();
  await json(['memory', 'add', content], { cwd });
  return cwd;
}

describe('with a server', () => {
  it('a hook is answered by it, and shows nothing twice', async () => {
    const cwd = await workspaceWith(FERRY);
    expect(await prompt(cwd)).toMatchObject({ text: expect.stringContaining(FERRY), by: 'itself' });
    const server = await startServer(cwd);
    await server.hasSocket();
    const first = await prompt(cwd, { session: 'one' });
    expect(first).toMatchObject({ text: expect.stringContaining(FERRY), by: 'server' });
    expect(await prompt(cwd, { session: 'one' })).toEqual({ text: '', by: 'server' });
    // Of an agent that knows nothing.
    expect(await prompt(cwd, { args: ['--agent', 'stranger'] })).toEqual({ text: '', by: 'server' });
    expect(await prompt(cwd, { env: { KEEPSAKE_AGENT: 'stranger' } })).toEqual({ text: '', by: 'server' });
    // Stored by another process while the server runs.
    await json(['memory', 'add', 'On Sundays the ferry to the island leaves at ten.'], { cwd });
    expect((await prompt(cwd)).text).toContain('Sundays');
    const { stdout } = await runCli(['hook', 'user-prompt-submit'], { cwd, stdin: '{"prompt": ' });
    expect(stdout).toBe('{}\n');
    await server.client.close();
    await vi.waitFor(() => expect(sockets(cwd)).toEqual([]), { timeout: 10_000 });
    expect((await prompt(cwd)).by).toBe('itself');
  });

  it('a note is indexed and a summary stored by it', async () => {
    const cwd = temporaryWorkspace();
    const server = await startServer(cwd);
    await server.hasSocket();
    const summary = { session_id: 's', compact_summary: 'The harbour was painted.' };
    expect(await runCli(['hook', 'post-compact'], { cwd, stdin: JSON.stringify(summary) })).toMatchObject({
      ...{ code: 0, stdout: '', stderr: '' },
    });
    const note = join(cwd, 'agents/default-agent/notes/tides.md');
    mkdirSync(join(note, '..'), { recursive: true });
    writeFileSync(note, '# Tides\n\nHigh water is at noon on Fridays.\n');
    const written = { session_id: 's', tool_name: 'Write', tool_input: { file_path: note } };
    expect((await runCli(['hook', 'post-tool-use'], { cwd, stdin: JSON.stringify(written) })).stdout).toBe(
      '{}\n',
    );
    const contents = (await json<{ content: string }[]>(['memory', 'list'], { cwd })).map(
      ({ content }) => content,
    );
    expect(contents).toContain('The harbour was painted.');
    expect(contents.join()).toContain('High water is at noon');
  });

  it('only its user reaches the socket, and a folder that others can reach is not used', async () => {
    const cwd = await workspaceWith(FERRY);
    const server = await startServer(cwd);
    await server.hasSocket();
    const [name] = sockets(cwd);
    expect(statSync(socketFolder(cwd)).mode & 0o777).toBe(0o700);
    expect(statSync(join(socketFolder(cwd), name!)).mode & 0o777).toBe(0o600);
    chmodSync(socketFolder(cwd), 0o755);
    expect(await prompt(cwd)).toMatchObject({ text: expect.stringContaining(FERRY), by: 'itself' });
    await server.client.close();
    const open = await startServer(cwd);
    await open.client.listTools();
    expect(sockets(cwd).filter((each) => each !== name)).toEqual([]);
  });

  it('the agent of a project is the same with a server and without', async () => {
    const home = temporaryFolder();
    const shared = join(home, 'home/.keepsake');
    workspaceInit({ folder: shared, name: 'default-agent' });
    const [shop, blog] = ['shop', 'blog'].map((name) => join(home, name)) as [string, string];
    for (const folder of [shop, blog]) mkdirSync(join(folder, '.git'), { recursive: true });
    const env = { HOME: join(home, 'home'), CLAUDE_PROJECT_DIR: shop };
    const server = await startServer(shop, { args: ['--per-project'], env, workspace: shared });
    await server.hasSocket();
    await server.client.callTool({ name: 'remember', arguments: { content: FERRY } });
    const args = ['--per-project'];
    const inShop = await prompt(join(shop, '.git'), { args, env });
    expect(inShop).toMatchObject({ text: expect.stringContaining(FERRY), by: 'server' });
    // The server of one project answers for another one, as that one.
    const inBlog = await prompt(blog, { args, env: { ...env, CLAUDE_PROJECT_DIR: blog } });
    expect(inBlog).toEqual({ text: '', by: 'server' });
  });

  it('whose path is longer than the name of a socket may be', async () => {
    const root = temporaryFolder();
    const cwd = join(root, ...Array.from({ length: 8 }, (_, i) => `${i}-${'deep'.repeat(8)}`));
    workspaceInit({ folder: cwd, name: 'default-agent' });
    expect(Buffer.byteLength(cwd)).toBeGreaterThan(250);
    await json(['memory', 'add', FERRY], { cwd });
    const server = await startServer(cwd);
    await server.hasSocket();
    const by = process.platform === 'linux' ? 'server' : 'itself';
    expect(await prompt(cwd)).toMatchObject({ text: expect.stringContaining(FERRY), by });
  });
});

describe('a hook does its work itself', () => {
  const itself = { text: expect.stringContaining(FERRY), by: 'itself' };

  it('when the server was killed, whose socket the next one removes', async () => {
    const cwd = await workspaceWith(FERRY);
    const killed = await startServer(cwd);
    await killed.hasSocket();
    killed.kill('SIGKILL');
    const [stale] = sockets(cwd);
    await vi.waitFor(async () => expect(await prompt(cwd)).toMatchObject(itself));
    const next = await startServer(cwd);
    await vi.waitFor(() => expect(sockets(cwd)).not.toContain(stale), { timeout: 20_000 });
    await next.client.listTools();
    await vi.waitFor(() => expect(sockets(cwd)).toHaveLength(1), { timeout: 20_000 });
    expect((await prompt(cwd)).by).toBe('server');
  });

  it('when the socket belongs to the server of another workspace', async () => {
    const cwd = await workspaceWith(FERRY);
    const other = await workspaceWith('The ferry to the island leaves never, says another workspace.');
    const server = await startServer(other);
    await server.hasSocket();
    mkdirSync(join(cwd, 'data'), { recursive: true });
    renameSync(socketFolder(other), socketFolder(cwd));
    const answered = await prompt(cwd);
    expect(answered).toMatchObject(itself);
    expect(answered.text).not.toContain('another workspace');
  });

  it('when its settings are others than those of the server', async () => {
    const cwd = await workspaceWith(FERRY);
    const server = await startServer(cwd);
    await server.hasSocket();
    expect(await prompt(cwd, { env: { KEEPSAKE_MODELS_RETRIES: '1' } })).toMatchObject(itself);
    expect((await prompt(cwd)).by).toBe('server');
    writeFileSync(join(cwd, 'keepsake.jsonc'), '{ "name": "default-agent", "memory": { "maxEntries": 77 } }');
    expect(await prompt(cwd)).toMatchObject(itself);
  });

  it('when a server hangs, within a moment', async () => {
    const cwd = await workspaceWith(FERRY);
    const server = await startServer(cwd);
    await server.hasSocket();
    server.kill('SIGSTOP');
    onTestFinished(() => server.kill('SIGCONT'));
    expect(await prompt(cwd)).toMatchObject(itself);
  });

  it.each([
    ['nonsense', 'no JSON\n'],
    ['no end', 'x'.repeat(1_000_000)],
    ['a refusal', '{"refused":true}\n'],
    ['a promise that it breaks', '{"accepted":50}\n'],
    ['nothing', ''],
  ])('when what answers says %s', async (_, said) => {
    const cwd = await workspaceWith(FERRY);
    mkdirSync(socketFolder(cwd), { mode: 0o700 });
    const stranger = createServer((socket) => socket.on('error', () => {}).write(said));
    await new Promise<void>((resolve) => stranger.listen(join(socketFolder(cwd), 'zzz.sock'), resolve));
    onTestFinished(() => void stranger.close());
    expect(await prompt(cwd)).toMatchObject(itself);
  });
});

describe('two servers of one workspace', () => {
  it('both have a socket, and one answers when the other was killed or hangs', async () => {
    const cwd = await workspaceWith(FERRY);
    const older = await startServer(cwd);
    await older.hasSocket();
    const newer = await startServer(cwd);
    await newer.hasSocket();
    const wanted = { text: expect.stringContaining(FERRY), by: 'server' };
    expect(await prompt(cwd)).toMatchObject(wanted);
    newer.kill('SIGKILL');
    await vi.waitFor(async () => expect(await prompt(cwd)).toMatchObject(wanted));
    expect(sockets(cwd)).toHaveLength(2);
    await older.client.close();
    await vi.waitFor(() => expect(sockets(cwd)).toHaveLength(1), { timeout: 10_000 });
    expect(await prompt(cwd)).toMatchObject({ ...wanted, by: 'itself' });
  });
});
