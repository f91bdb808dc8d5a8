/** Keepsake beside what else a TypeScript user can install: same machine, same texts, same vectors, one after the other. */
import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, round, temporaryFolder } from '../lib/measure.ts';
import type { Row, Suite } from '../lib/suite.ts';
import { PEERS } from '../peers/index.ts';
import type { Peer } from '../peers/peer.ts';

/** As many as the slowest of them can be given in a few minutes. */
const RECORDS = 5_000;
const WRITERS = 2;
const WRITES = 100;
const CHILD = join(import.meta.dirname, '../peers/child.ts');
const INSTALLED = join(import.meta.dirname, '../../node_modules/.cache/keepsake-peers');

function install(): void {
  const packages = [...new Set(PEERS.flatMap((peer) => peer.packages))];
  const wanted = JSON.stringify({ private: true, description: packages.join(' ') });
  const file = join(INSTALLED, 'package.json');
  const done = join(INSTALLED, 'installed');
  if (existsSync(done)) return;
  mkdirSync(INSTALLED, { recursive: true });
  writeFileSync(file, wanted);
  // No install script of a stranger is run; peer dependencies of other stores are not wanted.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: INSTALLED, stdio: 'pipe' });
  writeFileSync(done, '');
}

function ask<T>(peer: Peer, folder: string, task: string, ...more: readonly (string | number)[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const args = [peer.name, INSTALLED, folder, task, ...more.map(String)];
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
  /** Share of the questions whose text was among the ten. */
  readonly found: number;
}

/** Two processes write at once, as two MCP clients do; then a third one looks what is there. */
async function lost(peer: Peer): Promise<number> {
  const folder = temporaryFolder();
  try {
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      ask<string[]>(peer, folder.path, 'write', WRITES, `writer-${i}`),
    );
    const acknowledged = (await Promise.all(writers)).flat();
    const kept = new Set(await ask<string[]>(peer, folder.path, 'kept'));
    return acknowledged.filter((text) => !kept.has(text)).length;
  } finally {
    folder.remove();
  }
}

export const peers: Suite = {
  name: 'peers',
  question:
    'Keepsake and other memories for TypeScript: one add, one search of 10, and what two writing processes lose. Asked with four words of a stored text of made-up words, which favours search by words over search by meaning alone (installs 400 MB of other packages)',
  async run({ quick, progress }) {
    progress('installing the others');
    install();
    const records = quick ? 500 : RECORDS;
    const rows: Row[] = [];
    let own = Number.NaN;
    for (const peer of PEERS) {
      progress(`${peer.name}: ${records} records`);
      const folder = temporaryFolder();
      const { addMs, times, found } = await ask<Measured>(peer, folder.path, 'measure', records);
      folder.remove();
      const p50 = quantile(times, 0.5);
      if (Number.isNaN(own)) own = p50;
      progress(`${peer.name}: two processes`);
      rows.push({
        what: peer.name,
        'add ms': round(addMs),
        'search p50 ms': round(p50),
        'p99 ms': round(quantile(times, 0.99)),
        'search, Keepsake = 1': round(p50 / own),
        'found %': round(100 * found),
        [`lost of ${WRITERS * WRITES} acknowledged`]: await lost(peer),
      });
    }
    // What keeps nothing on disk, or does not find what is there, is fast for that reason.
    const durable = rows.filter((row) => /SQL|server/.test(row.what) && Number(row['found %']) > 50);
    return {
      rows,
      headline: [
        {
          name: 'search of the fastest durable peer that finds most, Keepsake = 1',
          value: Math.min(...durable.map((row) => Number(row['search, Keepsake = 1']))),
          aim: '≥ 10',
        },
        {
          name: 'acknowledged writes that Keepsake lost',
          value: Number(rows[0]?.[`lost of ${WRITERS * WRITES} acknowledged`]),
          aim: '≤ 0',
        },
      ],
    };
  },
};
