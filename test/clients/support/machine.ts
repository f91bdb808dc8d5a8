/** A machine of a user: a home, a project, real clients from npm, and a model on loopback. No registry answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ModelServer, modelServer } from './model-server.ts';

export const root = join(import.meta.dirname, '../../..');
const keepsakeScript = join(root, 'bin/keepsake.js');
/** Where `npm run test:clients` installed them. */
export const clientsFolder =
  process.env.KEEPSAKE_CLIENTS ?? join(root, 'node_modules/.cache/keepsake-clients');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine {
  readonly home: string;
  readonly project: string;
  readonly model: ModelServer;
  keepsake(...args: string[]): Promise<Run>;
  json<T>(...args: string[]): Promise<T>;
  client(name: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  write(file: string, text: string): void;
}

const LONGEST = 120_000;

async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Run> {
  const child: ChildProcess = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, stdout, stderr };
}

export async function machine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-clients-'));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const each of [home, project]) mkdirSync(each);
  const model = await modelServer();
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const env = {
    ...{ HOME: home, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`, LANG: 'C.UTF-8' },
    // Whoever asks the registry fails at once.
    ...{
      npm_config_registry: 'http://127.0.0.1:9/',
      DISABLE_AUTOUPDATER: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    ...{
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    ...{
      // Else it shows the tools of servers only to a model that looks for them.
      ENABLE_TOOL_SEARCH: 'false',
      MCP_TIMEOUT: '60000',
      MCP_CONNECTION_NONBLOCKING: '0',
    },
    ...{ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_DISABLE_AUTO_UPDATE: '1' },
    ...{ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'm' },
  };
  const keepsake = (...args: string[]) =>
    run(process.execPath, [keepsakeScript, ...args], { cwd: project, env });
  return {
    ...{ home, project, model, keepsake },
    json: async <T>(...args: string[]) => JSON.parse((await keepsake(...args, '--json')).stdout) as T,
    client: (name, args, more = {}) =>
      run(join(clientsFolder, 'node_modules/.bin', name), args, { cwd: project, env: { ...env, ...more } }),
    write: (file, text) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    },
  };
}
