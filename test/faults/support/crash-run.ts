/** The crash proof: writers are killed with -9 at random moments and started again, and the workspace is checked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from './chance.ts';
import { startChild } from './children.ts';
import { type Checked, checkAfterCrash } from './crash-check.ts';
import { Ledger } from './ledger.ts';
import type { CrashWriterMessage } from './tasks/crash-writer.ts';
import { inFolder } from './workspace.ts';

export interface CrashOptions {
  readonly kills: number;
  readonly seed: number;
  readonly writers?: number;
  readonly onProgress?: (summary: CrashSummary) => void;
}

export interface CrashSummary {
  kills: number;
  /** Kills that hit a writer before it had opened the workspace, and while it closed it. */
  duringOpen: number;
  duringClose: number;
  acknowledged: number;
  /** Records, versions and events compared with what was acknowledged, each counted once. */
  verified: number;
  checks: number;
  violations: string[];
}

const KILLS_BETWEEN_CHECKS = 25;
/** A fresh workspace after so many kills keeps a check short in runs of any length. */
const KILLS_PER_WORKSPACE = 200;
const LANES = 8;
/** Low enough that adding prunes: then one write touches several records, which must hold together. */
const MAX_ENTRIES = 60;

export async function runCrashes({
  kills,
  seed,
  writers = 4,
  onProgress,
}: CrashOptions): Promise<CrashSummary> {
  const chance = createChance(seed);
  const plans = drawPlans(chance);
  const summary: CrashSummary = {
    kills: 0,
    duringOpen: 0,
    duringClose: 0,
    acknowledged: 0,
    verified: 0,
    checks: 0,
    violations: [],
  };
  while (summary.kills < kills && summary.violations.length === 0) {
    const until = Math.min(kills, summary.kills + KILLS_PER_WORKSPACE);
    await inFolder((workspace) =>
      crashOneWorkspace({ workspace, until, writers, chance, plans, summary, onProgress }),
    );
  }
  return summary;
}

interface OneWorkspace {
  readonly workspace: string;
  readonly until: number;
  readonly writers: number;
  readonly chance: Chance;
  readonly plans: Iterator<Plan, never>;
  readonly summary: CrashSummary;
  readonly onProgress: CrashOptions['onProgress'];
}

async function crashOneWorkspace(run: OneWorkspace): Promise<void> {
  const { workspace, until, writers, chance, plans, summary, onProgress } = run;
  const ledger = new Ledger();
  const before = { acknowledged: summary.acknowledged, verified: summary.verified };
  let lives = 0;
  while (summary.kills < until && ledger.violations.length === 0) {
    const pause = Math.min(until, summary.kills + KILLS_BETWEEN_CHECKS);
    let lethal = pause - summary.kills;
    const writer = async (slot: number): Promise<void> => {
      while (lethal > 0 && ledger.violations.length === 0) {
        lethal--;
        const life = `w${slot}l${lives++}`;
        const plan = plans.next().value;
        const killed = await liveOnce({ workspace, slot, life, plan, chance, ledger, summary });
        if (!killed) lethal++;
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, slot) => writer(slot)));
    const checked: Checked = await checkAfterCrash(workspace, ledger, MAX_ENTRIES);
    summary.checks++;
    summary.acknowledged = before.acknowledged + ledger.acknowledged;
    summary.verified = before.verified + checked.records + checked.versions + checked.events;
    summary.violations.push(...ledger.violations);
    onProgress?.(summary);
  }
}

interface Life {
  readonly workspace: string;
  readonly slot: number;
  readonly life: string;
  readonly plan: Plan;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly summary: CrashSummary;
}

/** Starts one writer and kills it; false when it was gone before the kill, having closed in peace. */
async function liveOnce({ workspace, slot, life, plan, chance, ledger, summary }: Life): Promise<boolean> {
  const book = ledger.startLife();
  let opened = false;
  let closing = false;
  let acknowledged = 0;
  const due = Promise.withResolvers<void>();
  const options = {
    workspace,
    agent: `writer-${slot}`,
    seed: chance.between(0, 2 ** 31),
    life,
    lanes: chance.between(1, LANES),
    maxEntries: MAX_ENTRIES,
    ...(plan.moment === 'closing' ? { closeAfter: plan.count } : {}),
  };
  const child = startChild<'crash-writer', CrashWriterMessage>('crash-writer', options, {
    onMessage: (message) => {
      if (message.type === 'tried') book.tried(message);
      else if (message.type === 'done') {
        book.done(message);
        if (plan.moment === 'writing' && ++acknowledged === plan.count) due.resolve();
      } else if (message.type === 'heard') book.heard(message);
      else if (message.type === 'opened') opened = true;
      else if (message.type === 'closing') {
        closing = true;
        due.resolve();
      } else if (message.type === 'failed') {
        ledger.violations.push(`${life} failed with ${message.code}: ${message.message}`);
      }
    },
  });
  if (plan.moment === 'opening') due.resolve();
  await Promise.race([due.promise, child.exit]);
  if (plan.delayMs > 0) await sleep(plan.delayMs);
  child.process.kill('SIGKILL');
  const { code, signal, errors } = await child.exit;
  if (signal !== 'SIGKILL') {
    if (code !== 0) ledger.violations.push(`${life} ended by itself with ${signal ?? code}: ${errors}`);
    return false;
  }
  summary.kills++;
  if (!opened) summary.duringOpen++;
  if (closing) summary.duringClose++;
  return true;
}

type Plan =
  | { readonly moment: 'opening'; readonly delayMs: number }
  | { readonly moment: 'writing' | 'closing'; readonly count: number; readonly delayMs: number };

/** Most kills hit a busy writer; in every twenty lives three hit one that starts, and three one that closes. */
const MOMENTS: readonly Plan['moment'][] = [
  ...Array.from({ length: 3 }, () => 'opening' as const),
  ...Array.from({ length: 3 }, () => 'closing' as const),
  ...Array.from({ length: 14 }, () => 'writing' as const),
];

/** Like a shuffled deck of cards: also a short run meets every moment. */
function* drawPlans(chance: Chance): Generator<Plan, never> {
  for (;;) {
    const deck = [...MOMENTS];
    while (deck.length > 0) yield planFor(deck.splice(chance.between(0, deck.length - 1), 1)[0]!, chance);
  }
}

function planFor(moment: Plan['moment'], chance: Chance): Plan {
  if (moment === 'opening') return { moment, delayMs: chance.between(20, 300) };
  if (moment === 'closing') return { moment, count: chance.between(1, 20), delayMs: chance.between(0, 3) };
  return { moment, count: chance.between(1, 60), delayMs: chance.between(0, 6) };
}
