/** A Postgres server of its own for a test file, with pgvector, on a free port and in a folder that is removed afterwards. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGVECTOR_FOLDER, POSTGRES_BIN } from '../../../scripts/setup/pgvector.mjs';
import { whenProcessEnds } from '../../fixtures/when-process-ends.ts';

/** Postgres refuses to run as root; this user is on every Linux and owns nothing. */
const NOBODY = 65_534;
const READY = 'database system is ready to accept connections';

export interface PostgresServer {
  /** Of an empty schema that nobody else has. */
  url(): string;
  readonly port: number;
  /** Ends it at once, as a crash or a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Leaves it running, and deaf. */
  pause(): void;
  resume(): void;
  /** A path on the small disk as this process sees it. */
  onDisk(name: string): string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Writes reach the disk, as they do in earnest; off by default, because most tests are not about that. */
  readonly durable?: boolean;
  readonly settings?: readonly string[];
  /** Keeps the database on a small disk of so many MB that only the server sees; it is empty again after a restart. */
  readonly diskMegabytes?: number;
}

/** Mounts the disk `$0` of `$1` MB, copies the folder `$2` to it, and starts the rest of the arguments as its user. */
const ON_SMALL_DISK = `mount -t tmpfs -o "size=$1m,mode=0777" tmpfs "$0" && cp -a "$2" "$0/data" && shift 2 && exec "$@"`;

function onSmallDisk(disk: string, megabytes: number, data: string, user: { uid: number; gid: number }) {
  const isRoot = process.getuid?.() === 0;
  const become = isRoot
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--']
    : ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  const space = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--'];
  return [...space, 'sh', '-c', ON_SMALL_DISK, disk, String(megabytes), data, ...become];
}

/** A private copy of the programs: they look for extensions beside themselves, so that nothing is installed for them. */
function assemble(folder: string): string {
  if (!existsSync(PGVECTOR_FOLDER)) {
    throw new Error(
      'pgvector was not built yet. Run "node scripts/setup/pgvector.mjs", or set DATABASE_URL.',
    );
  }
  const version = POSTGRES_BIN.split('/').at(-2)!;
  const programs = join(folder, 'lib/postgresql', version, 'bin');
  mkdirSync(programs, { recursive: true });
  for (const name of ['postgres', 'initdb']) copyFileSync(join(POSTGRES_BIN, name), join(programs, name));
  const libraries = join(folder, 'lib/postgresql', version, 'lib');
  linkAll(join(POSTGRES_BIN, '../lib'), libraries);
  const shared = join(folder, 'share/postgresql', version);
  linkAll(join('/usr/share/postgresql', version), shared, ['extension']);
  linkAll(join('/usr/share/postgresql', version, 'extension'), join(shared, 'extension'));
  for (const name of readdirSync(PGVECTOR_FOLDER)) {
    const target = name.endsWith('.so') ? libraries : join(shared, 'extension');
    rmSync(join(target, name), { force: true });
    copyFileSync(join(PGVECTOR_FOLDER, name), join(target, name));
    chmodSync(join(target, name), 0o755);
  }
  return programs;
}

function linkAll(from: string, to: string, except: readonly string[] = []): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!except.includes(name)) symlinkSync(join(from, name), join(to, name));
  }
}

/** To the server and to the process of each connection. */
function signalAll(server: number | undefined, signal: NodeJS.Signals): void {
  if (server === undefined) return;
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  for (const each of [server, ...children.filter(Boolean).map(Number)]) process.kill(each, signal);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let schemas = 0;

/** A schema that no other test has, in whatever database the address names. */
function withSchema(address: string): string {
  const url = new URL(address);
  url.searchParams.set('schema', `keepsake_test_${process.pid}_${schemas++}`);
  return url.href;
}

/** The database that is named for the tests, if one is. */
export const givenDatabase = process.env.DATABASE_URL;

export async function postgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-postgres-'));
  const data = join(folder, 'data');
  const programs = assemble(folder);
  const identity =
    process.getuid?.() === 0
      ? { uid: NOBODY, gid: NOBODY }
      : { uid: process.getuid!(), gid: process.getgid!() };
  chmodSync(folder, 0o755);
  mkdirSync(data);
  chownSync(data, identity.uid, identity.gid);
  const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const asUser = { ...identity, cwd: data, env: environment };
  const create = ['-D', data, '--username=keepsake', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  const small = options.diskMegabytes === undefined ? [] : ['--wal-segsize=1'];
  execFileSync(join(programs, 'initdb'), [...create, ...small, '--no-sync'], { ...asUser, stdio: 'pipe' });

  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, 'max_connections=100'],
      ...(options.durable ? [] : ['fsync=off', 'full_page_writes=off']),
      ...['autovacuum_naptime=2147483', 'jit=off', 'shared_buffers=32MB', 'dynamic_shared_memory_type=mmap'],
      ...(options.settings ?? []),
    ];
    const disk = join(folder, 'disk');
    const place = options.diskMegabytes === undefined ? data : join(disk, 'data');
    const args = ['-D', place, ...settings.flatMap((setting) => ['-c', setting])];
    const program = join(programs, 'postgres');
    if (options.diskMegabytes === undefined) {
      child = spawn(program, args, { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] });
    } else {
      mkdirSync(disk, { recursive: true });
      const [first, ...rest] = onSmallDisk(disk, options.diskMegabytes, data, identity);
      const whole = [...rest, program, ...args];
      child = spawn(first!, whole, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    }
    let said = '';
    const log = child.stderr!;
    const isReady = await new Promise<boolean>((resolve) => {
      log.on('data', (chunk) => {
        said += String(chunk);
        if (said.includes(READY)) resolve(true);
      });
      log.on('end', () => resolve(false));
    });
    if (!isReady) throw new Error(`Postgres did not start:\n${said}`);
    // Whoever writes into a pipe that nobody reads would wait in the end.
    log.removeAllListeners('data').resume();
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  // Also when a test file ends before its last hook has run.
  whenProcessEnds(() => {
    child?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url: () => withSchema(`postgresql://keepsake@127.0.0.1:${port}/postgres`),
    port,
    // What "pg_ctl stop -m immediate" sends: no connection is ended, nothing is written any more.
    kill: () => end('SIGQUIT'),
    start,
    pause: () => signalAll(child?.pid, 'SIGSTOP'),
    resume: () => signalAll(child?.pid, 'SIGCONT'),
    onDisk: (name) => join(`/proc/${child!.pid}/root`, folder, 'disk', name),
    stop: async () => {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One for all files that this process runs; it ends with the process. */
let shared: Promise<PostgresServer> | undefined;

/** The database that was named for the tests, else the server that the files of this process share. */
export async function postgresForTests(): Promise<Pick<PostgresServer, 'url'>> {
  const address = givenDatabase;
  if (address !== undefined) return { url: () => withSchema(address) };
  shared ??= postgresServer();
  return shared;
}
