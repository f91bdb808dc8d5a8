/** A server of Keepsake in a process of its own, and requests to it over connections that stay open. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/surfaces/cli/main.ts');

export interface BenchServer {
  readonly child: ChildProcess;
  readonly port: number;
  /** Of the owner. */
  readonly key: string;
}

export async function startServer(workspace: string): Promise<BenchServer> {
  const program = `const { run } = await import(${JSON.stringify(main)}); process.exitCode = await run(process.argv.slice(1));`;
  const args = ['--input-type=module', '--eval', program, 'serve', '--port', '0', '--json'];
  const child = spawn(process.execPath, [...args, '--workspace', workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  for await (const part of child.stdout!) {
    out += String(part);
    if (out.endsWith('}\n')) break;
  }
  const { port, serverKeyFile } = JSON.parse(out) as { port: number; serverKeyFile: string };
  return { child, port, key: readFileSync(serverKeyFile, 'utf8').trim() };
}

export interface PosterOptions {
  readonly port: number;
  readonly key: string;
  readonly agent: Agent;
  /** The header Keepsake-Agent, for keys that may name any agent. */
  readonly as?: string;
}

/** Resolves with the body of a success. */
export type Post = (path: string, input: object) => Promise<string>;

export function poster({ port, key, agent, as }: PosterOptions): Post {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(as === undefined ? {} : { 'keepsake-agent': as }),
  };
  return (path, input) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(input);
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, path, method: 'POST', agent },
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => (answer += part));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode = 0 } = response;
            if (statusCode >= 200 && statusCode < 300) resolve(answer);
            else reject(new Error(`${path}: ${statusCode}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}
