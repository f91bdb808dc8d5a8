/**
 * Two builds on one storage: `npm run test:upgrades`. Packs old commits with npm, lets servers of both builds work on one Postgres
 * or one SQLite file, and writes what each answered into docs/guides/upgrading.md.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresServer } from '../test/drivers/postgres/server.ts';
import { ensureBuilt } from './setup/build.mjs';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/guides/upgrading.md');
const RESULT = /(<!-- upgrades -->).*?(<!-- end -->)/s;
/** The last commits with the schema before the present one: of SQLite, and of Postgres. */
const OLD = { sqlite: '45b91aeb', postgres: '5f80ce78' } as const;
/** Same schema of SQLite as now. */
const SAME = '5f80ce78';

/** What `npm pack` makes of a commit, unpacked, with the dependencies of this checkout. */
function packed(commit: string, folder: string): string {
  const sources = join(folder, `sources-${commit}`);
  const target = join(folder, commit);
  for (const each of [sources, target, join(sources, 'node_modules'), join(target, 'node_modules')])
    mkdirSync(each, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['x', '-C', sources], { input: archive });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache')
      for (const each of [sources, target])
        symlinkSync(join(root, 'node_modules', name), join(each, 'node_modules', name));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: sources,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  execFileSync('tar', ['xzf', join(folder, file), '--strip-components=1', '-C', target]);
  rmSync(join(folder, file));
  rmSync(sources, { recursive: true });
  return target;
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
}

async function serve(build: string, workspace: string, env: Record<string, string>): Promise<Server> {
  const args = [join(build, 'bin/keepsake.js'), 'serve', '--port', '0', '--json', '--workspace', workspace];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complained] = ['', ''];
  child.stderr.on('data', (part) => (complained += String(part)));
  for await (const part of child.stdout) {
    said += String(part);
    if (said.endsWith('}\n')) break;
  }
  if (said === '') throw new Error(complained.trim());
  const { url, serverKeyFile } = JSON.parse(said) as { url: string; serverKeyFile: string };
  return { child, url, key: readFileSync(serverKeyFile, 'utf8').trim() };
}

async function stop({ child }: Server): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** The id of what was stored, or the error. */
async function add({ url, key }: Server, content: string): Promise<{ id?: string; error?: string }> {
  const answer = await fetch(`${url}/v1/memory`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'keepsake-agent': 'alice' },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content, source: 'manual' }),
  });
  const body = (await answer.json()) as { id?: string; error?: { code: string } };
  return body.id === undefined ? { error: `${answer.status} ${body.error?.code}` } : { id: body.id };
}

async function isThere({ url, key }: Server, id: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, 'keepsake-agent': 'alice' };
  return (await fetch(`${url}/v1/memory/${id}`, { headers })).status === 200;
}

interface Outcome {
  readonly what: string;
  /** Answers of the old server to writes after the new one had started. */
  readonly oldWrites: string;
  readonly oldRestart: string;
  readonly acknowledged: number;
  readonly missing: number;
}

async function together(what: string, oldBuild: string, env: Record<string, string>): Promise<Outcome> {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-upgrade-'));
  const settings = { memory: { maxEntries: 100_000 }, models: { embedding: 'none' } };
  writeFileSync(join(workspace, 'keepsake.jsonc'), JSON.stringify(settings));
  const servers: Server[] = [];
  const start = async (build: string): Promise<Server> => {
    const server = await serve(build, workspace, env);
    servers.push(server);
    return server;
  };
  try {
    const stored: string[] = [];
    const answers = new Map<string, number>();
    let number = 0;
    const write = async (server: Server, count: number, seen = new Map<string, number>()): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const { id, error } = await add(server, `Fact number ${number++} of ${what}, said once.`);
        if (id !== undefined) stored.push(id);
        seen.set(error ?? 'stored', (seen.get(error ?? 'stored') ?? 0) + 1);
      }
    };
    const old = await start(oldBuild);
    await write(old, 50);
    // The old one is under load while the new one starts and upgrades the schema.
    let isOver = false;
    const during = new Map<string, number>();
    const load = (async () => {
      while (!isOver) await write(old, 1, during);
    })();
    const fresh = await start(root);
    await pause(500);
    isOver = true;
    await load;
    await Promise.all([write(old, 50, answers), write(fresh, 50)]);
    await stop(old);
    const oldRestart = await start(oldBuild).then(
      async (server) => {
        await write(server, 1);
        return 'starts, and works';
      },
      (error: Error) =>
        /\b(TOO_NEW)\b|newer/i.exec(error.message)?.[0].replace(/newer/i, 'TOO_NEW') ?? 'fails',
    );
    const newest = await start(root);
    await write(newest, 50);
    const found = await Promise.all(stored.map((id) => isThere(newest, id)));
    return {
      ...{ what, oldRestart, acknowledged: stored.length, missing: found.filter((each) => !each).length },
      oldWrites: [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', '),
    };
  } finally {
    for (const { child } of servers) child.kill('SIGKILL');
    rmSync(workspace, { recursive: true, force: true });
  }
}

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'keepsake-builds-'));
const postgres = await postgresServer({ durable: true });
try {
  const [sqlite, before, same] = [OLD.sqlite, OLD.postgres, SAME].map((commit, i, all) =>
    all.indexOf(commit) < i ? join(folder, commit) : packed(commit, folder),
  ) as [string, string, string];
  const onPostgres = { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: postgres.url() };
  const outcomes = [
    await together(`SQLite, ${OLD.sqlite}: the schema before`, sqlite, {}),
    await together(`SQLite, ${SAME}: the same schema`, same, {}),
    await together(`Postgres, ${OLD.postgres}: the schema before`, before, onPostgres),
  ];
  const rows = outcomes.map(
    ({ what, oldWrites, oldRestart, acknowledged, missing }) =>
      `| ${what} | ${oldWrites} | ${oldRestart} | ${acknowledged} | ${missing} |`,
  );
  const table = [
    '| storage, and the old build | writes to the old server beside the new one | the old build started again | acknowledged | missing |',
    '|---|---|---|---:|---:|',
    ...rows,
  ].join('\n');
  console.log(table);
  const page = readFileSync(PAGE, 'utf8');
  if (!RESULT.test(page)) throw new Error(`${PAGE} has no place for the result.`);
  writeFileSync(
    PAGE,
    page.replace(RESULT, (_, begin: string, end: string) => `${begin}\n\n${table}\n\n${end}`),
  );
  process.exitCode = outcomes.every(({ missing }) => missing === 0) ? 0 : 1;
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
