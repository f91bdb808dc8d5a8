/** Starts an MCP server as a client would, asks for its tools, and ends it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ServerCommand } from './clients.ts';

export interface Tried {
  readonly starts: boolean;
  readonly tools?: readonly { readonly name: string; readonly description: string }[];
  readonly problem?: string;
}

const LONGEST_MS = 10_000;
const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'keepsake-status', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

export function tryServer({ command, args }: ServerCommand): Promise<Tried> {
  return new Promise((resolve) => {
    // Its own starts are not uses.
    const own = args.filter((_, place) => args[place] !== '--installed' && args[place - 1] !== '--installed');
    const child = spawn(command, own, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let last = '';
    const settle = (tried: Tried) => {
      clearTimeout(timer);
      child.stdin.end();
      child.kill();
      resolve(tried);
    };
    const timer = setTimeout(
      () => settle({ starts: false, problem: 'It did not answer in time.' }),
      LONGEST_MS,
    );
    child.on('error', (error) => settle({ starts: false, problem: error.message }));
    child.stdin.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => {
      last = chunk.toString('utf8').trim().split('\n').at(-1) ?? '';
    });
    child.on('exit', (code) => settle({ starts: false, problem: last || `It ended with code ${code}.` }));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = parsed(line);
      if (id === 2) settle({ starts: true, tools: result?.tools ?? [] });
    });
    for (const message of MESSAGES) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  });
}

function parsed(line: string): {
  readonly id?: unknown;
  readonly result?: { readonly tools?: Tried['tools'] };
} {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
