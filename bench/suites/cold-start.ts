/** How long the command line takes to start, against an empty Node in the same run. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../src/index.ts';
import { median, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'keepsake.js');

function milliseconds(args: readonly string[], input = ''): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return performance.now() - start;
}

/** The MCP server that a client has started anyway, listening for hooks. */
async function startServer(workspace: string): Promise<() => Promise<unknown>> {
  const server = spawn(process.execPath, [BIN, 'mcp', '--agent', 'bench', '--workspace', workspace], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const folder = join(workspace, 'data', 'sockets');
  const isListening = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.sock'));
  for (let i = 0; i < 600 && !isListening(); i++) await pause(50);
  if (!isListening()) throw new Error('The MCP server opened no socket.');
  return () => {
    server.stdin.end();
    return once(server, 'exit');
  };
}

/** As `keepsake mcp install claude-code` writes it. */
const hookCommand = (event: string, workspace: string): string[] => [
  ...[BIN, 'hook', event, '--agent', 'bench', '--workspace', workspace],
];

export const coldStart: Suite = {
  name: 'cold-start',
  why: `Why aims are missed: a process of its own loads the program, opens the database and reads the postings and vectors that the question needs, all
with code that Node has not optimised yet ([0044](design/0044-schemas-that-are-built-when-used.md)).`,
  question: 'Start of the command line, as a ratio to `node -e 0` (needs `npm run build`)',
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const { memory } = client.agent({ name: 'bench' });
    const text = textMaker();
    for (let i = 0; i < 20; i++)
      await Promise.all(Array.from({ length: 500 }, () => memory.add({ content: text() })));
    await client.close();
    const hooks = {
      'hook session-start': hookCommand('session-start', folder.path),
      'hook user-prompt-submit': hookCommand('user-prompt-submit', folder.path),
    };
    const search = ['memory', 'search', 'gateway latency', '--agent', 'bench', '--workspace', folder.path];
    const alone = {
      'node -e 0': ['-e', '0'],
      'keepsake --version': [BIN, '--version'],
      'keepsake memory search, 10,000 records': [BIN, ...search],
      ...renamed(hooks, (name) => `${name}, without a server, 10,000 records`),
    };
    const served = renamed(hooks, (name) => `${name}, with a server, 10,000 records`);
    /** Another session each time: what a session was shown once is not shown again. */
    let sessions = 0;
    const input = () =>
      JSON.stringify({ session_id: `s-${sessions++}`, prompt: 'What is the latency of the gateway?' });
    const times = new Map<string, number[]>();
    const measure = (commands: Record<string, string[]>) => {
      for (const [name, args] of Object.entries(commands))
        times.set(name, [...(times.get(name) ?? []), milliseconds(args, input())]);
    };
    for (const args of Object.values(alone)) milliseconds(args, input());
    const rounds = quick ? 5 : 21;
    // In turns, so that a busy moment of the machine falls on all of them.
    for (let i = 0; i < 3; i++) {
      progress(`part ${i + 1} of 3`);
      for (let j = 0; j < Math.ceil(rounds / 3); j++) measure(alone);
      const stop = await startServer(folder.path);
      for (const args of Object.values(served)) milliseconds(args, input());
      for (let j = 0; j < Math.ceil(rounds / 3); j++) measure({ 'node -e 0': alone['node -e 0'], ...served });
      await stop();
    }
    folder.remove();
    const base = median(times.get('node -e 0')!);
    const rows = [...times].map(([what, values]) => ({
      what,
      ms: round(median(values)),
      ratio: round(median(values) / base),
    }));
    return {
      rows,
      headline: [
        { name: 'keepsake --version', value: rows[1]!.ratio, aim: '≤ 1.3' },
        { name: 'keepsake memory search at 10,000 records', value: rows[2]!.ratio, aim: '≤ 3' },
        { name: 'hook session-start without a server, at 10,000 records', value: rows[3]!.ratio, aim: '≤ 4' },
        { name: 'hook user-prompt-submit without a server', value: rows[4]!.ratio, aim: '≤ 4' },
        { name: 'hook session-start with a server', value: rows[5]!.ratio, aim: '≤ 2.5' },
        { name: 'hook user-prompt-submit with a server', value: rows[6]!.ratio, aim: '≤ 2.5' },
      ],
    };
  },
};

function renamed<T>(
  object: Readonly<Record<string, T>>,
  rename: (name: string) => string,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
}
