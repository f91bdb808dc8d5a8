/** Runs of swarms that name an agent or a user: found and removed with their working memory and their messages. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { threadsOf } from '../../kernel/threads.ts';
import type { Erased } from '../../ports/erasing.ts';
import type { RunRecord } from '../../ports/run-store.ts';
import type { Storage } from '../../ports/storage.ts';
import { hasParticipant, livesByState, namesUser } from '../../working/index.ts';

type Runs = Pick<Storage, 'runs' | 'state' | 'bus' | 'log'>;

/** More than an engine keeps: records of runs stay for 90 days in Redis. */
const ALL = 1_000_000;
const PAGE = 1_000;

/** Those that an agent took part in, and those that were about a user or with agents that served the user. */
export async function runsNaming(storage: Runs, whose: Erased): Promise<readonly RunRecord[]> {
  const all = await storage.runs.list({ limit: ALL });
  if (whose.user === undefined) return all.filter((run) => hasParticipant(run, whose.agent));
  const found: RunRecord[] = [];
  for (const run of all) if (await isAbout(storage, run, whose.user)) found.push(run);
  return found;
}

async function isAbout({ state, bus, log }: Runs, run: RunRecord, user: string): Promise<boolean> {
  if (namesUser({ ...run } as unknown as JsonValue, user)) return true;
  if ((await log.count({ run: run.id, prefix: threadsOf(user) })) > 0) return true;
  if (namesUser((await state.read(run.id))?.document ?? null, user)) return true;
  for (let after = 0; ; ) {
    const page = await state.changes({ run: run.id, after, limit: PAGE });
    if (page.some(({ path, value = null }) => namesUser([path, value], user))) return true;
    if (page.length < PAGE) break;
    after = page.at(-1)!.version;
  }
  for (let after = 0; ; ) {
    const page = await bus.read({ run: run.id, after, limit: PAGE });
    if (page.some(({ content }) => namesUser(content, user))) return true;
    if (page.length < PAGE) return false;
    after = page.at(-1)!.seq;
  }
}

/** A run that continues would write again what was just removed. */
export async function refuseRunning(
  { state }: Runs,
  found: readonly RunRecord[],
  now: number,
): Promise<void> {
  const running: RunRecord[] = [];
  for (const run of found) {
    if (run.status !== 'running') continue;
    // A run without steady signs of life lives as long as its working memory.
    const kept = livesByState(run) ? await state.read(run.id, []) : null;
    if (Math.max(run.leaseUntil, kept?.leaseUntil ?? 0) >= now) running.push(run);
  }
  const [first] = running;
  if (first === undefined) return;
  throw new KeepsakeError('CONFLICT', `The run ${first.id} names the subject and is still running.`, {
    hint: `Wait until it ends, or stop it with "keepsake swarm cancel ${first.id}", then erase again.`,
    details: { runs: running.map(({ id }) => id) },
  });
}

/** The record last: until then a repeated call finds the run again. */
export async function removeRun({ runs, state, bus }: Runs, id: string): Promise<void> {
  await state.remove(id);
  await bus.remove(id);
  await runs.remove(id);
}
