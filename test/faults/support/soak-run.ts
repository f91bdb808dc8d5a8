/** The soak: a server and an MCP process work on one workspace for a long time, and neither memory, file handles nor write-ahead log may grow. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { databaseOf, inFolder } from './workspace.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly onProgress?: (sample: SoakSample) => void;
}

export interface SoakSample {
  readonly seconds: number;
  /** Of each process after a garbage collection: what it really holds, in its heap and in buffers. In MB. */
  readonly serverLive: number;
  readonly mcpLive: number;
  /** Of each process as the system sees it, in MB: V8 keeps memory that it may need again, the more the busier a machine is. */
  readonly serverMemory: number;
  readonly mcpMemory: number;
  readonly serverHandles: number;
  readonly mcpHandles: number;
  /** Of the write-ahead log, in MB. */
  readonly log: number;
}

export interface SoakSummary {
  rounds: number;
  requests: number;
  readonly samples: SoakSample[];
  /** Answers that were not what was asked for. */
  readonly failures: string[];
}

/** Memories that live at the same time: what is stored does not grow, so neither may what is held in memory. */
const LIVE = 150;
const SAMPLES = 60;
const PROGRAM = join(import.meta.dirname, '../../../bin/keepsake.js');
/** Answers SIGUSR2 with what is left after a garbage collection. */
const PROBE = new URL('live-memory.ts', import.meta.url).href;
const MEGABYTE = 2 ** 20;

interface Process {
  readonly child: ChildProcess;
  /** Where the probe writes. */
  readonly live: string;
  readonly errors: () => string;
}

/** What a worker of this process asks for. */
type Ask = (body: object) => Promise<Record<string, unknown>>;

export async function runSoak({ seconds, onProgress }: SoakOptions): Promise<SoakSummary> {
  if (!existsSync(join(import.meta.dirname, '../../../dist/bundle/main.cjs')))
    throw new Error('Keepsake has not been built: run "npm run build" first.');
  return inFolder(async (workspace) => {
    writeFileSync(
      join(workspace, 'keepsake.jsonc'),
      JSON.stringify({ server: { requestsPerSecond: 100_000 }, models: { embedding: 'static' } }),
    );
    const server = start(workspace, ['serve', '--port', '0', '--json']);
    const mcp = start(workspace, ['mcp', '--agent', 'bob']);
    try {
      const { url, serverKeyFile } = await whenListening(server);
      const key = readFileSync(serverKeyFile, 'utf8').trim();
      const summary: SoakSummary = { rounds: 0, requests: 0, samples: [], failures: [] };
      const post = poster(url, key, summary);
      const overHttp: Ask = (body) => post('/mcp', body);
      const overStdio = await speaker(mcp, summary);
      const until = performance.now() + seconds * 1_000;
      const lives = [
        live(summary, until, (text) => byRest(post, text)),
        live(summary, until, (text) => byMcp(overHttp, text)),
        live(summary, until, (text) => byMcp(overStdio, text)),
        hangUps(url, key, until),
        measure({ server, mcp, workspace, seconds, until, summary, onProgress }),
      ];
      await Promise.all(lives);
      return summary;
    } finally {
      await Promise.all([server, mcp].map(end));
    }
  });
}

function start(workspace: string, args: readonly string[]): Process {
  const live = join(workspace, `live-${args[0]}`);
  const child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, PROGRAM, ...args], {
    cwd: workspace,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: join(workspace, 'home'), LANG: 'C.UTF-8' },
      KEEPSAKE_LIVE_MEMORY: live,
    },
  });
  let errors = '';
  child.stderr.on('data', (part) => {
    errors = `${errors}${String(part)}`.slice(-2_000);
  });
  return { child, live, errors: () => errors };
}

async function end({ child }: Process): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function whenListening({
  child,
  errors,
}: Process): Promise<{ readonly url: string; readonly serverKeyFile: string }> {
  let said = '';
  for await (const part of child.stdout!) {
    said += String(part);
    if (said.endsWith('}\n')) return JSON.parse(said);
  }
  throw new Error(`The server did not start: ${errors()}`);
}

function poster(url: string, key: string, summary: SoakSummary) {
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'keepsake-agent': 'alice', 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  };
  return async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    summary.requests++;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Record<string, unknown>;
  };
}

/** Requests over stdin and stdout, each answered by its number. */
async function speaker({ child }: Process, summary: SoakSummary): Promise<Ask> {
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const answer = JSON.parse(line) as Record<string, unknown>;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let last = 0;
  const ask: Ask = (body) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      summary.requests++;
      child.stdin!.write(`${JSON.stringify({ ...body, id })}\n`);
    });
  const clientInfo = { name: 'soak', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  await ask({ jsonrpc: '2.0', method: 'initialize', params });
  child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return ask;
}

interface Round {
  /** The id of what was stored. */
  add(): Promise<string>;
  use(): Promise<unknown>;
  forget(id: string): Promise<unknown>;
}

/** Stores, searches and forgets until the time is over. */
async function live(summary: SoakSummary, until: number, round: (text: string) => Round): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; performance.now() < until; i++) {
    const part = round(
      `Sluice ${i} of basin ${(i * 7919) % 997} opens at ${i % 24} o'clock. ${Math.random()}`,
    );
    try {
      ids.push(await part.add());
      await part.use();
      if (ids.length > LIVE) await part.forget(ids.shift()!);
    } catch (error) {
      summary.failures.push(String(error));
      if (summary.failures.length > 20) return;
    }
    summary.rounds++;
  }
}

function byRest(post: ReturnType<typeof poster>, content: string): Round {
  return {
    add: async () => String((await post('/v1/memory/add', { content })).id),
    use: async () => {
      await post('/v1/memory/search', { query: content });
      await post('/v1/sections/save', { section: 'plans', content });
      await post('/v1/memory/context', { task: content });
    },
    forget: (id) => post('/v1/memory/forget', { id }),
  };
}

function byMcp(ask: Ask, content: string): Round {
  const tool = async (name: string, given: object): Promise<Record<string, unknown>> => {
    const params = { name, arguments: given };
    const answer = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { isError, structuredContent } = (answer.result ?? { isError: true }) as {
      readonly isError?: boolean;
      readonly structuredContent?: Record<string, unknown>;
    };
    if (isError === true) throw new Error(`${name}: ${JSON.stringify(answer).slice(0, 300)}`);
    return structuredContent ?? {};
  };
  return {
    add: async () => String((await tool('remember', { content })).id),
    use: () => tool('recall', { query: content }),
    forget: (id) => tool('forget', { id }),
  };
}

/** Clients that leave in the middle of a stream. */
async function hangUps(url: string, key: string, until: number): Promise<void> {
  while (performance.now() < until) {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const stream = await fetch(`${url}/v1/events?after=0`, { headers, signal: leaving.signal });
    await stream.body?.getReader().read();
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

interface Measured {
  readonly server: Process;
  readonly mcp: Process;
  readonly workspace: string;
  readonly seconds: number;
  readonly until: number;
  readonly summary: SoakSummary;
  readonly onProgress: SoakOptions['onProgress'];
}

async function measure(all: Measured): Promise<void> {
  const { server, mcp, workspace, seconds, until, summary, onProgress } = all;
  const began = until - seconds * 1_000;
  const step = (seconds * 1_000) / SAMPLES;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, step));
    const sample = {
      seconds: Math.round((performance.now() - began) / 1_000),
      ...{ serverMemory: memoryOf(server), mcpMemory: memoryOf(mcp) },
      ...{ serverLive: await liveOf(server), mcpLive: await liveOf(mcp) },
      ...{ serverHandles: handlesOf(server), mcpHandles: handlesOf(mcp) },
      log: megabytes(statSync(`${databaseOf(workspace)}-wal`, { throwIfNoEntry: false })?.size ?? 0),
    };
    summary.samples.push(sample);
    onProgress?.(sample);
  }
}

const megabytes = (bytes: number): number => Math.round((10 * bytes) / MEGABYTE) / 10;

function memoryOf({ child }: Process): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return megabytes(Number(kilobytes) * 1_024);
}

async function liveOf({ child, live }: Process): Promise<number> {
  rmSync(live, { force: true });
  child.kill('SIGUSR2');
  for (let waited = 0; waited < 30_000; waited += 20) {
    if (existsSync(live)) return megabytes(Number(readFileSync(live, 'utf8')));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('A process did not say how much memory it holds.');
}

const handlesOf = ({ child }: Process): number => readdirSync(`/proc/${child.pid}/fd`).length;

export interface Growth {
  readonly name: keyof SoakSample;
  readonly early: number;
  readonly late: number;
}

/** The median of the second and of the last quarter of the time; in the first, caches fill and code is compiled. */
export function growthOf(samples: readonly SoakSample[]): Growth[] {
  const quarter = Math.floor(samples.length / 4);
  const median = (part: readonly SoakSample[], name: keyof SoakSample): number =>
    part.map((sample) => sample[name]).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const names = [
    ...(['serverLive', 'mcpLive', 'serverMemory', 'mcpMemory'] as const),
    ...(['serverHandles', 'mcpHandles', 'log'] as const),
  ] as const;
  return names.map((name) => ({
    name,
    early: median(samples.slice(quarter, 2 * quarter), name),
    late: median(samples.slice(-quarter), name),
  }));
}

/** A checkpoint runs at 16 MB and keeps at most 64 MB of the file. */
const MOST_LOG = 64;

/** In percent and MB: indexes that are rebuilt now and then go up and down by this much. */
const NOISE = { live: [1.1, 3], memory: [1.2, 20], handles: [1, 4] } as const;

/** What grew by more than noise; the log goes up and down, and only its size is bounded. */
export function grown(samples: readonly SoakSample[]): Growth[] {
  const isMore = ({ name, early, late }: Growth): boolean => {
    if (name === 'log') return late > MOST_LOG;
    const [factor, more] =
      NOISE[name.endsWith('Handles') ? 'handles' : name.endsWith('Live') ? 'live' : 'memory'];
    return late > early * factor + more;
  };
  return growthOf(samples).filter(isMore);
}
