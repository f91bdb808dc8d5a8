/** Three servers on one Postgres and one Redis under load while each of them fails in turn; says what was lost, and what operators saw. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type KeepsakeEvent } from '../../../src/index.ts';
import { postgresServer } from '../../drivers/postgres/server.ts';
import { redisServer } from '../../drivers/redis/server.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../bin/keepsake.js');
/** In every text that is stored, and in no line of any log. */
const CANARY = 'canary';
const PATIENCE_MS = 5_000;
const SERVERS = 3;

export interface Outages {
  readonly faults: readonly string[];
  readonly seconds: number;
  /** Acknowledged memories, and entries in the working memory of a run. */
  readonly memories: number;
  readonly entries: number;
  readonly events: number;
  /** Answers to writes, by status; 0 where there was none. */
  readonly answers: Readonly<Record<string, number>>;
  /** What must not be: lost writes, gaps, a blind operator. Empty when all is well. */
  readonly violations: readonly string[];
}

class Server {
  child: ChildProcess | undefined;
  log = '';
  url = '';
  key = '';
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  async start(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const log = ['--log-format', 'json', '--log-level', 'info'];
    const args = ['serve', '--port', port, '--json', '--workspace', this.#folder, ...log];
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stderr.on('data', (part) => (this.log += String(part)));
    let said = '';
    for await (const part of child.stdout) {
      said += String(part);
      if (said.endsWith('}\n')) break;
    }
    if (said === '') throw new Error(`A server did not start: ${this.log.slice(-500)}`);
    const { url, serverKeyFile } = JSON.parse(said) as { url: string; serverKeyFile: string };
    this.url = url;
    this.key = readFileSync(serverKeyFile, 'utf8').trim();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  ask(path: string, body?: object, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<Response> {
    // Events and metrics are for the owner, who acts as nobody in particular.
    const as = path.startsWith('/v1/memory') ? { 'keepsake-agent': 'alice' } : {};
    const headers = { authorization: `Bearer ${this.key}`, ...as };
    if (body === undefined) return fetch(`${this.url}${path}`, { headers, signal });
    return fetch(`${this.url}${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body), signal },
      headers: { ...headers, 'content-type': 'application/json' },
    });
  }

  /** Of the log, since a position. */
  events(since: number): string[] {
    const lines = this.log.slice(since).split('\n').slice(0, -1);
    return lines
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { event: string }).event);
  }
}

export interface OutageOptions {
  /** How long each fault lasts, and as long again the time until the next one. */
  readonly faultMs: number;
  readonly rounds: number;
  readonly onProgress?: (text: string) => void;
  /** Ends every process when whoever waits gives up. */
  readonly signal?: AbortSignal;
}

export async function runOutages({
  faultMs,
  rounds,
  onProgress = () => {},
  signal,
}: OutageOptions): Promise<Outages> {
  const began = performance.now();
  const [postgres, redis, workspace] = [
    await postgresServer({ durable: true }),
    await redisServer(['--appendonly', 'yes', '--appendfsync', 'always']),
    makeFolder(),
  ];
  const env = {
    ...{ KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: postgres.url() },
    ...{ KEEPSAKE_STORAGE_STATE_DRIVER: 'redis', KEEPSAKE_STORAGE_STATE_URL: redis.url },
    ...{ KEEPSAKE_MODELS_EMBEDDING: 'none', KEEPSAKE_MEMORY_MAX_ENTRIES: '1000000' },
  };
  const servers = Array.from({ length: SERVERS }, () => new Server(workspace.folder, env));
  const [memories, entries, seen]: [string[], string[], number[]] = [[], [], []];
  const answers: Record<string, number> = {};
  const violations: string[] = [];
  const faults: string[] = [];
  let isOver = false;
  const stop = new AbortController();

  const count = (status: number): void => {
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const writer = async (first: number): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const body = { content: `The ${CANARY} sang song ${i} for writer ${first}.`, source: 'manual' };
      const answer = await servers[first % SERVERS]!.ask('/v1/memory', body).catch(() => undefined);
      count(answer?.status ?? 0);
      if (answer?.status === 201) memories.push(((await answer.json()) as { id: string }).id);
      else await pause(50);
      if (answer !== undefined && answer.status >= 500 && answer.status !== 503)
        violations.push(`A write was answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
    }
  };
  /** Goes on with the next server where the last one broke off. */
  const follower = async (): Promise<void> => {
    for (let which = 0; !stop.signal.aborted; which++) {
      try {
        const path = `/v1/events?after=${seen.at(-1) ?? 0}`;
        // A server that stands still says nothing; then another one is asked.
        const silence = new AbortController();
        const signal = AbortSignal.any([stop.signal, silence.signal]);
        const response = await servers[which % SERVERS]!.ask(path, undefined, signal);
        const decoder = new TextDecoder();
        let text = '';
        let timer = setTimeout(() => silence.abort(), PATIENCE_MS);
        for await (const chunk of response.body!) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), PATIENCE_MS);
          text += decoder.decode(chunk as Uint8Array, { stream: true });
          const lines = text.split('\n');
          text = lines.pop()!;
          for (const line of lines)
            if (line.startsWith('data: ')) seen.push((JSON.parse(line.slice(6)) as KeepsakeEvent).seq);
        }
        clearTimeout(timer);
      } catch {
        await pause(50);
      }
    }
  };
  /** Until every server is ready, as a load balancer would see it. */
  const healed = async (what: string): Promise<void> => {
    const deadline = Date.now() + 30_000;
    for (const server of servers) {
      for (;;) {
        const answer = await server.ask('/readyz').catch(() => undefined);
        if (answer?.status === 200) break;
        if (Date.now() > deadline) {
          violations.push(`After "${what}", a server was not ready within 30 s.`);
          return;
        }
        await pause(100);
      }
    }
  };
  /** What an operator sees while a backend is away: not ready, 0 in the metrics, one line in the log. */
  const seesLoss = async (backend: string, since: readonly number[]): Promise<void> => {
    const deadline = Date.now() + 15_000;
    const metric = new RegExp(`keepsake_backend_up\\{backend="${backend}"[^}]*\\} 0`);
    for (const [i, server] of servers.entries()) {
      for (;;) {
        const ready = await server.ask('/readyz').catch(() => undefined);
        const metrics = await server.ask('/metrics').then(
          (answer) => answer.text(),
          () => '',
        );
        const isLogged = server.events(since[i]!).includes('backend.lost');
        if (ready?.status === 503 && metric.test(metrics) && isLogged) break;
        if (Date.now() > deadline) {
          const said = [ready?.status, metric.test(metrics), isLogged].join(', ');
          violations.push(
            `While ${backend} was away, server ${i + 1} hid it (readyz, metric, log): ${said}.`,
          );
          break;
        }
        await pause(100);
      }
    }
  };
  const fault = async (
    what: string,
    cause: () => Promise<void>,
    cure: () => Promise<void>,
    lost?: string,
  ) => {
    onProgress(what);
    const since = servers.map(({ log }) => log.length);
    await cause();
    const until = pause(faultMs);
    if (lost !== undefined) await seesLoss(lost, since);
    await until;
    await cure();
    await healed(what);
    if (lost !== undefined)
      for (const [i, server] of servers.entries())
        if (!server.events(since[i]!).includes('backend.back'))
          violations.push(`The log of server ${i + 1} does not say that ${lost} is back.`);
    await pause(faultMs);
    faults.push(what);
  };

  const clients: { close(): Promise<void> }[] = [];
  /** Also by those who cannot wait: everything under way fails then, and comes to the end of this function. */
  const endAll = (): void => {
    isOver = true;
    stop.abort();
    for (const server of servers) void server.end('SIGKILL');
    void postgres.stop();
    void redis.stop();
  };
  signal?.addEventListener('abort', endAll, { once: true });
  process.once('exit', endAll);
  try {
    for (const server of servers) await server.start();
    const { url, key: apiKey } = servers[0]!;
    const client = createClient({ url, apiKey });
    clients.push(client);
    const swarm = client.swarm({ name: 's', agents: [{ name: 'scout' }], lead: { name: 'editor' } });
    const run = await swarm.start({ task: 'Listen to birds.' });
    const stateOf = async (server: Server) => {
      const each = createClient({ url: server.url, apiKey: server.key });
      clients.push(each);
      return (await each.runs.get(run.id)).stateAs('scout');
    };
    const states = await Promise.all(servers.map(stateOf));
    const swarmWriter = async (): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const entry = `entry ${i}`;
        const isKept = await states[i % SERVERS]!.append('/findings', entry).then(
          () => true,
          () => false,
        );
        if (isKept) entries.push(entry);
        else await pause(50);
      }
    };
    const work = [...[0, 1, 2, 3, 4, 5].map(writer), swarmWriter()];
    const following = follower();
    await pause(faultMs);
    const [first, second, third] = servers as [Server, Server, Server];
    for (let round = 0; round < rounds; round++) {
      await fault(
        'a server is killed',
        () => first.end('SIGKILL'),
        () => first.start(),
      );
      await fault(
        'a server stands still',
        async () => void second.child!.kill('SIGSTOP'),
        async () => void second.child!.kill('SIGCONT'),
      );
      await fault(
        'Postgres is killed',
        () => postgres.kill(),
        () => postgres.start(),
        'postgres',
      );
      await fault(
        'Redis is killed',
        () => redis.kill(),
        () => redis.start(),
        'redis',
      );
      await fault(
        'Postgres stands still',
        async () => postgres.pause(),
        async () => postgres.resume(),
        'postgres',
      );
      await fault(
        'Redis stands still',
        async () => redis.pause(),
        async () => redis.resume(),
        'redis',
      );
      await fault(
        'a rolling restart',
        async () => {
          for (const server of servers) {
            await server.end('SIGTERM');
            await server.start();
          }
        },
        async () => {},
      );
    }
    isOver = true;
    await Promise.all(work);
    const deadline = Date.now() + 30_000;
    while (seen.length < memories.length && Date.now() < deadline) await pause(50);
    // What is written last comes last.
    await pause(1_000);
    stop.abort();
    await following;
    for (const id of memories) {
      const { status } = await third.ask(`/v1/memory/${id}`);
      if (status !== 200) violations.push(`Memory ${id} was acknowledged and is answered with ${status}.`);
    }
    const kept = new Set((await states[2]!.get('/findings')) as string[]);
    for (const entry of entries) if (!kept.has(entry)) violations.push(`"${entry}" of the run is lost.`);
    const gap = seen.findIndex((seq, i) => seq !== i + 1);
    if (gap !== -1) violations.push(`Event ${gap + 1} came as ${seen[gap]}.`);
    if (seen.length < memories.length)
      violations.push(`Only ${seen.length} events of ${memories.length} came.`);
    for (const [i, { log }] of servers.entries())
      if (log.includes(CANARY)) violations.push(`The log of server ${i + 1} quotes a memory.`);
  } finally {
    isOver = true;
    stop.abort();
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await Promise.all([postgres.stop(), redis.stop()]);
    process.removeListener('exit', endAll);
    workspace.remove();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const counts = { memories: memories.length, entries: entries.length, events: seen.length };
  return { faults, seconds, ...counts, answers, violations };
}
