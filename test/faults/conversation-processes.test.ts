/** Several processes on one agent, some of them killed: every acknowledged message is there, exactly once, in order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import { type Chance, chooseSeed, createChance } from './support/chance.ts';
import { type ConversationChild, runChild, startChild } from './support/conversation-children.ts';
import { blocksIn } from './support/conversation-world.ts';

const AGENT = 'alice';

function makeWorkspace(): string {
  const workspace = mkdtempSync(join(tmpdir(), 'keepsake-processes-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  return workspace;
}

interface Found {
  /** Texts of the user's messages in the archives, oldest first, and then in the active file. */
  readonly files: readonly string[];
  readonly log: readonly string[];
  readonly archives: number;
  readonly summaries: number;
}

/** Opens it once more, as the next process would, so that everything is made good, and then looks. */
async function find(workspace: string): Promise<Found> {
  const client = createClient({ workspace });
  const memory = await client.agent({ name: AGENT }).shortMemory;
  const names = (await memory.archives.list()).map(({ name }) => name);
  await memory.close();
  const { storage } = await client.open();
  const logged = await storage.log.read({ agent: AGENT, limit: 1_000_000 });
  expect(await storage.log.journal(`MEMORY.md:agents/${AGENT}/MEMORY.md`)).toBeNull();
  const home = join(workspace, 'agents', AGENT);
  const blocks = [
    ...names.flatMap((name) => blocksIn(join(home, 'archive', name), AGENT)),
    ...blocksIn(join(home, 'MEMORY.md'), AGENT),
  ];
  await client.close();
  const said = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith('User: ')).map((line) => line.slice('User: '.length));
  const lines = logged.map(({ role, content }) => `${role}: ${String(content)}`);
  return {
    files: said(blocks),
    log: said(lines),
    archives: names.length,
    summaries: lines.filter((line) => line.startsWith('System: ')).length,
  };
}

it('5 processes × 20 messages: all there once, each in its order', async () => {
  const workspace = makeWorkspace();
  const writers = [0, 1, 2, 3, 4].map((i) =>
    runChild('write', { workspace, agent: AGENT, prefix: `w${i}`, count: 20 }),
  );
  const reports = await Promise.all(writers);
  const { files, log } = await find(workspace);
  expect(new Set(files).size).toBe(100);
  expect(files).toHaveLength(100);
  expect(log.toSorted()).toEqual(files.toSorted());
  reports.forEach((report, i) => {
    const own = files.filter((text) => text.startsWith(`w${i}-`));
    expect(own).toEqual(report.flatMap(({ added }) => (typeof added === 'string' ? [added] : [])));
  });
});

/** Keeps a child running, a new one for each that is killed. */
class Relay {
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  kills = 0;
  #runs = 0;
  #child: ConversationChild | undefined;
  readonly #start: (prefix: string, seen: (added: string) => void) => ConversationChild;

  constructor(start: (prefix: string, seen: (added: string) => void) => ConversationChild) {
    this.#start = start;
  }

  /** Runs a child until a moment drawn by lot after it got ready, and kills it. */
  async runOnce(chance: Chance): Promise<void> {
    const child = this.#start(String(this.#runs++).padStart(3, '0'), (added) =>
      this.acknowledged.push(added),
    );
    this.#child = child;
    while (child.reports.length === 0 && child.process.exitCode === null) await pause(2);
    await pause(chance.between(0, 60));
    if (child.process.kill('SIGKILL')) this.kills++;
    const { code, errors } = await child.exit;
    if (code !== null) this.failures.push(errors);
  }

  stop(): void {
    this.#child?.process.kill('SIGKILL');
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('three writers and one compactor, killed at random: nothing is lost, doubled or out of order', async () => {
  const seed = chooseSeed();
  console.log(`Conversations: KEEPSAKE_SEED=${seed}`);
  const workspace = makeWorkspace();
  const base = { workspace, agent: AGENT };
  const writers = [0, 1, 2].map(
    (i) =>
      new Relay((run, seen) =>
        startChild('write', { ...base, prefix: `w${i}.${run}` }, ({ added }) => {
          if (typeof added === 'string') seen(added);
        }),
      ),
  );
  const compactor = new Relay((run) => startChild('compact', { ...base, prefix: run }));
  const relays = [...writers, compactor];
  onTestFinished(() => {
    for (const relay of relays) relay.stop();
  });
  const end = Date.now() + 50_000;
  await Promise.all(
    relays.map(async (relay, i) => {
      const chance = createChance(seed + i);
      while (Date.now() < end && (relay.kills < 15 || relay === compactor)) {
        await relay.runOnce(chance);
        if (relay === compactor && writers.every(({ kills }) => kills >= 15)) break;
      }
    }),
  );
  const kills = relays.reduce((sum, relay) => sum + relay.kills, 0);
  const found = await find(workspace);
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  console.log(
    `Conversations: ${kills} kills, ${acknowledged.length} acknowledged messages, ${found.archives} archives.`,
  );
  expect(relays.flatMap(({ failures }) => failures)).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(40);
  expect(found.archives).toBeGreaterThan(5);
  // Exactly once, over the active file and all archives.
  expect(new Set(found.files).size).toBe(found.files.length);
  const there = new Set(found.files);
  expect(acknowledged.filter((text) => !there.has(text))).toEqual([]);
  for (let i = 0; i < 3; i++) {
    const own = found.files.filter((text) => text.startsWith(`w${i}.`));
    expect(own).toEqual(own.toSorted());
  }
  // The log says the same, and there is one archive for each summary that came to be.
  expect(found.log.toSorted()).toEqual(found.files.toSorted());
  expect(found.summaries).toBe(found.archives);
});
