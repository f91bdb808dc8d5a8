/** Keepsake beside what else a TypeScript user can install: same machine, same texts, same vectors, one after the other. */
import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, round, temporaryFolder } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';
import { PEERS } from '../peers/index.ts';
import type { Peer } from '../peers/peer.ts';

/** Whole conversations, up to the first that has so many turns together: all five, or one. */
const RECORDS = { full: 2_500, quick: 300 };
const WRITERS = 2;
const WRITES = 100;
const ROOT = join(import.meta.dirname, '../..');
const CHILD = join(ROOT, 'bench/peers/child.ts');
const INSTALLED = join(ROOT, 'node_modules/.cache/keepsake-peers');
/** No install script of a stranger is run; peer dependencies of other stores are not wanted. */
const FLAGS = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The folder of a peer, with its packages and nothing else, so that its size can be told. */
function install({ name, packages }: Peer): string {
  const folder = join(INSTALLED, name.replace(/\W+/g, '-'));
  const done = join(folder, `installed-${packages.join('-').replace(/\W+/g, '-')}`);
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  // Of Keepsake: what npm installs besides it.
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const own = Object.entries(dependencies).map(([dependency, version]) => `${dependency}@${version}`);
  const wanted = packages.length === 0 ? own : packages;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  execFileSync('npm', ['install', ...FLAGS, ...wanted], { cwd: folder, stdio: 'pipe' });
  writeFileSync(done, '');
  return folder;
}

function megabytesIn(folder: string): number {
  const kilobytes = execFileSync('du', ['-sk', folder], { encoding: 'utf8' });
  return Number.parseInt(kilobytes, 10) / 1_024;
}

/** Keepsake itself besides what it depends on, as it is packed. */
function ownMegabytes(): number {
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = Object.values(JSON.parse(told) as Record<string, { unpackedSize: number }>);
  return packed!.unpackedSize / 2 ** 20;
}

function ask<T>(peer: Peer, folder: string, task: string, ...more: readonly (string | number)[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const args = [peer.name, install(peer), folder, task, ...more.map(String)];
    const child = fork(CHILD, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], cwd: folder });
    let said = '';
    child.stderr!.on('data', (part) => {
      said += String(part);
    });
    child.on('message', (message) => resolve(message as T));
    child.on('exit', (code) => reject(new Error(`${peer.name} ended with ${code}: ${said.slice(-2_000)}`)));
  });
}

interface Measured {
  readonly addMs: number;
  readonly times: readonly number[];
  /** Share of the questions of which an answer was among the ten. */
  readonly found: number;
  readonly records: number;
}

/** Two processes write at once, as two MCP clients do; then a third one looks what is there. */
async function lost(peer: Peer): Promise<number | string> {
  const folder = temporaryFolder();
  try {
    const writers = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, i) =>
        ask<string[]>(peer, folder.path, 'write', WRITES, `writer-${i}`),
      ),
    );
    const acknowledged = writers.flatMap((writer) => (writer.status === 'fulfilled' ? writer.value : []));
    const kept = new Set(await ask<string[]>(peer, folder.path, 'kept'));
    const missing = acknowledged.filter((text) => !kept.has(text)).length;
    const refused = writers.filter(({ status }) => status === 'rejected').length;
    return refused === 0 ? missing : `${missing}, ${refused} of ${WRITERS} processes failed`;
  } catch {
    return 'all: it does not open any more';
  } finally {
    folder.remove();
  }
}

export const peers: Suite = {
  name: 'peers',
  question:
    'Keepsake and what else a TypeScript user can take for a memory: turns of five long conversations (LoCoMo), added one by one, and 200 questions about them, ten hits each, in one process for each memory; then what two writing processes lose. All with the same vectors (needs ../shared/bench and `npm run build`; installs a gigabyte of other packages)',
  async run({ quick, progress }) {
    const rows: Row[] = [];
    const durable: Row[] = [];
    let own = Number.NaN;
    for (const peer of PEERS) {
      progress(`${peer.name}: installing`);
      const installed = megabytesIn(join(install(peer), 'node_modules'));
      const records = quick ? RECORDS.quick : RECORDS.full;
      progress(`${peer.name}: ${records} records`);
      const folder = temporaryFolder();
      const measured = await ask<Measured>(peer, folder.path, 'measure', records);
      const disk = megabytesIn(folder.path);
      folder.remove();
      const p50 = quantile(measured.times, 0.5);
      if (Number.isNaN(own)) own = p50;
      progress(`${peer.name}: two processes`);
      const row: Row = {
        what: peer.isDurable ? peer.name : `${peer.name}, not durable`,
        'found %': round(100 * measured.found),
        'search p50 ms': round(p50),
        'p99 ms': round(quantile(measured.times, 0.99)),
        'search, Keepsake = 1': round(p50 / own),
        'adds per second': Math.round(1_000 / measured.addMs),
        'disk, MB': peer.isDurable ? round(disk) : '',
        'installed, MB': Math.round(installed + (peer.packages.length === 0 ? ownMegabytes() : 0)),
        [`lost of ${WRITERS * WRITES} acknowledged`]: await lost(peer),
      };
      rows.push(row);
      if (peer.isDurable && rows.length > 1) durable.push(row);
    }
    const [keepsake, ...others] = rows;
    const least = Number(keepsake!['found %']);
    // What finds less may well be faster.
    const rivals = durable.filter((row) => Number(row['found %']) >= least);
    const most = Math.max(...others.map((row) => Number(row['found %'])));
    return {
      rows,
      headline: [
        { name: 'found %, against the peer that finds most', value: round(least / most), aim: '≥ 1' },
        {
          name: 'search of the fastest durable peer, Keepsake = 1',
          value: Math.min(...durable.map((row) => Number(row['search, Keepsake = 1']))),
          aim: '≥ 5',
        },
        { name: 'durable peers that find as much', value: rivals.length },
        {
          name: 'acknowledged writes that Keepsake lost',
          value: Number(keepsake![`lost of ${WRITERS * WRITES} acknowledged`]),
          aim: '≤ 0',
        },
      ],
    };
  },
};
