/** Verbs on runs; the identity of the caller decides what it may see and do. */

import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { IdFactory } from '../../kernel/ids.ts';
import { checkAgentName } from '../../kernel/names.ts';
import type { Viewer } from '../../kernel/scope.ts';
import { validate } from '../../kernel/validate.ts';
import type { z } from '../../kernel/zod.ts';
import type { SwarmResult, SwarmResultHit, SwarmResults } from '../../knowledge/index.ts';
import type { BusMessage } from '../../ports/message-bus.ts';
import { NO_USAGE, type RunRecord, type RunUsage } from '../../ports/run-store.ts';
import type { RecordService } from '../../records/index.ts';
import { STATE_LEASE, toDocument } from '../run-state.ts';
import type { SharedState } from '../shared-state.ts';
import { type AnswerCacheParts, type CachedAnswer, findAnswer } from './answer-cache.ts';
import * as inputs from './inputs.ts';
import type { LocalRuns } from './local-runs.ts';
import { noRun } from './run-handle.ts';
import { type Actor, type BusWatch, leadOf } from './run-services.ts';

/** How many earlier results a run is shown, and how close they must be to its task: a related field is worth a look. */
const MOST_EARLIER = 3;
const LEAST_RELEVANCE = 0.1;
/** How many more its result links to because they speak of the same, and how close these must be to it. */
const MOST_RELATED = 5;
const LEAST_RELATED = 0.4;
/** Enough of a result to tell what it speaks of. */
const RELATED_CHARACTERS = 4_000;
const MAX_LABEL = 120;
const MOST_LINKS = 100;

export interface SwarmServiceParts {
  readonly runs: LocalRuns;
  readonly ids: IdFactory;
  readonly records: RecordService;
  readonly swarmResults: SwarmResults;
  readonly embed: AnswerCacheParts['embed'];
}

export interface StartedRun {
  readonly run: RunRecord;
  /** What earlier runs found about the task. */
  readonly earlier: readonly SwarmResultHit[];
}

export type StartRunInput = z.input<typeof inputs.startRunInput>;
export type KeepResultInput = z.input<typeof inputs.keepResultInput>;

export class SwarmService {
  readonly #parts: SwarmServiceParts;

  constructor(parts: SwarmServiceParts) {
    this.#parts = parts;
  }

  /** Only runs that the caller is part of; the owner of the workspace sees all. */
  async list(input: z.input<typeof inputs.listRunsInput>, { viewer }: Caller): Promise<readonly RunRecord[]> {
    const { limit, ...query } = validate(inputs.listRunsInput, input, 'swarm.list');
    const { runs } = this.#parts;
    if (viewer.role === 'admin') return runs.list({ ...query, limit });
    // Agents take part in few of many runs, and there are not that many.
    const all = await runs.list({ ...query, limit: 1_000 });
    return all.filter((run) => mayEnter(viewer, run)).slice(0, limit);
  }

  async get(input: z.input<typeof inputs.runIdInput>, caller: Caller): Promise<RunRecord> {
    return this.#run(validate(inputs.runIdInput, input, 'swarm.get').id, caller);
  }

  async start(input: StartRunInput, caller: Caller): Promise<StartedRun> {
    const wanted = validate(inputs.startRunInput, input, 'swarm.start');
    const { swarm, type, task, participants, state, leaseMs } = wanted;
    const { runs, ids, swarmResults } = this.#parts;
    for (const { name } of participants) checkAgentName(name);
    const lead = leadOf(participants);
    const { viewer } = caller;
    if (viewer.role !== 'admin' && (viewer.role !== 'lead' || viewer.agent !== lead)) {
      throw new KeepsakeError('FORBIDDEN', 'Only the lead of a swarm starts its runs.', {
        hint: 'Use a key with the role lead that speaks for the lead of the swarm, or one of an admin.',
      });
    }
    const given = toDocument((state ?? {}) as object);
    await runs.sweep();
    const earlier = await swarmResults.search(
      { query: task, limit: MOST_EARLIER, minRelevance: LEAST_RELEVANCE },
      { ...caller, viewer: { role: 'lead', ...defined({ agent: lead }) } },
    );
    const startedAt = runs.clock.now();
    const links = earlier.map(({ id, date }) => ({ id, date }));
    const document = toDocument({
      ...{ topic: task, findings: [], status: 'started' },
      ...(links.length === 0 ? {} : { earlier: links }),
      ...given,
    });
    const run = await runs.create(
      {
        ...{ id: ids('run'), swarm, type, task, participants, startedAt, usage: NO_USAGE },
        leaseUntil: startedAt + leaseMs,
        leaseMs,
      },
      document,
    );
    return { run, earlier };
  }

  /** What the swarm answered last time it had this task; null when it never had. */
  async answer(input: z.input<typeof inputs.answerInput>, caller: Caller): Promise<CachedAnswer | null> {
    const wanted = validate(inputs.answerInput, input, 'swarm.answer');
    const found = await findAnswer(wanted, caller, this.#parts);
    return found !== null && mayEnter(caller.viewer, found.run) ? found : null;
  }

  async touch(input: z.input<typeof inputs.touchRunInput>, caller: Caller): Promise<{ running: boolean }> {
    const { id, usage } = validate(inputs.touchRunInput, input, 'swarm.touch');
    const { runs } = this.#parts;
    const run = await this.#led(id, caller);
    return { running: await runs.touch(run, usage) };
  }

  /** Stores what a run came to, for later runs to find; null where only a snapshot of its state was asked for. */
  async keep(input: KeepResultInput, caller: Caller): Promise<SwarmResult | null> {
    const { id, output, links, usage, snapshot } = validate(inputs.keepResultInput, input, 'swarm.keep');
    const run = await this.#led(id, caller);
    const before = await this.#parts.swarmResults.ofRun(id, caller);
    if (before !== undefined && before.output === output) return before;
    if (run.status !== 'running' || before !== undefined) throw hasEnded(run, before);
    const agent = leadOf(run.participants);
    const lead: Caller = { ...caller, viewer: { role: 'lead', ...defined({ agent }) } };
    if (snapshot) await this.#keepSnapshot(run, lead);
    if (output === undefined) return null;
    const { cost, models } = usage ?? run.usage;
    const model = modelsOf(models);
    const related = await this.#parts.swarmResults.search(
      { query: output.slice(0, RELATED_CHARACTERS), limit: MOST_RELATED, minRelevance: LEAST_RELATED },
      lead,
    );
    return this.#parts.swarmResults.add(
      {
        ...{ output, task: run.task, run: run.id, type: run.type },
        links: [...new Set([...links, ...related.map((hit) => hit.id)])].slice(0, MOST_LINKS),
        ...(cost === null ? {} : { cost }),
        ...(model === '' ? {} : { model }),
      },
      lead,
    );
  }

  async end(input: z.input<typeof inputs.endRunInput>, caller: Caller): Promise<{ ended: boolean }> {
    const { id, usage, ...end } = validate(inputs.endRunInput, input, 'swarm.end');
    const { runs } = this.#parts;
    const run = await this.#led(id, caller);
    return { ended: await runs.end(run, { ...end, usage, endedAt: runs.clock.now() }) };
  }

  /** Stops a run, wherever it is under way. */
  async cancel(
    input: z.input<typeof inputs.cancelRunInput>,
    caller: Caller,
  ): Promise<{ id: string; cancelled: boolean; status: RunRecord['status'] }> {
    const { id, reason } = validate(inputs.cancelRunInput, input, 'swarm.cancel');
    const { ended } = await this.end({ id, status: 'cancelled', reason }, caller);
    return { id, cancelled: ended, status: (await this.#run(id, caller)).status };
  }

  async messages(
    input: z.input<typeof inputs.runMessagesInput>,
    caller: Caller,
  ): Promise<readonly BusMessage[]> {
    const { id, after, from: agent, limit } = validate(inputs.runMessagesInput, input, 'swarm.messages');
    await this.#run(id, caller);
    return this.#parts.runs.messages({ run: id, after, agent, limit });
  }

  async *watchMessages({ run, ...query }: BusWatch, caller: Caller): AsyncGenerator<BusMessage> {
    await this.#run(run, caller);
    yield* this.#parts.runs.watchMessages({ run, ...query });
  }

  /** Only in one's own name. */
  async publish(input: z.input<typeof inputs.publishInput>, caller: Caller): Promise<{ published: true }> {
    const { id, message } = validate(inputs.publishInput, input, 'swarm.publish');
    const { runs } = this.#parts;
    const { agent } = writing(await this.#run(id, caller), caller);
    const { content, ...said } = message;
    const leaseUntil = runs.clock.now() + STATE_LEASE;
    await runs.publish({ ...said, run: id, agent, content: (content ?? null) as never, leaseUntil });
    return { published: true };
  }

  async note(input: z.input<typeof inputs.noteInput>, caller: Caller): Promise<{ noted: true }> {
    const { id, failure } = validate(inputs.noteInput, input, 'swarm.note');
    const { agent } = writing(await this.#run(id, caller), caller);
    this.#parts.runs.note(id, agent, failure);
    return { noted: true };
  }

  /** The working memory in the caller's hands: the owner acts as the program, everybody else as himself. */
  async state(id: string, caller: Caller): Promise<SharedState> {
    const run = await this.#run(id, caller);
    const { viewer } = caller;
    if (viewer.role === 'admin' && !run.participants.some(({ name }) => name === viewer.agent)) {
      return this.#parts.runs.stateOf(id);
    }
    return this.#parts.runs.stateOf(id, actorOf(run, caller));
  }

  /** For what a person lets through: in the name of the agent, without being judged again. */
  released(run: string, agent: string): SharedState {
    return this.#parts.runs.stateOf(run, { agent, role: 'worker', via: 'system', isReleased: true });
  }

  /** Whoever is not a part of a run learns not even that there is one. */
  async #run(id: string, { viewer }: Caller): Promise<RunRecord> {
    const run = await this.#parts.runs.get(id);
    if (run !== null && mayEnter(viewer, run)) return run;
    throw noRun(id);
  }

  async #led(id: string, caller: Caller): Promise<RunRecord> {
    const run = await this.#run(id, caller);
    const { viewer } = caller;
    if (viewer.role === 'admin') return run;
    if (viewer.role === 'lead' && viewer.agent === leadOf(run.participants)) return run;
    throw new KeepsakeError('FORBIDDEN', 'Only the lead of a run may do this.', {
      hint: `The lead of ${id} is ${leadOf(run.participants) ?? 'nobody'}.`,
    });
  }

  /** The working memory of a run as a memory of its lead, which all agents see. */
  async #keepSnapshot({ id }: RunRecord, lead: Caller): Promise<void> {
    const { document, version } = await this.#parts.runs.stateOf(id).read();
    await this.#parts.records.add(
      {
        content: JSON.stringify(document, null, 1),
        ...{ category: 'swarm-state', scope: 'swarm', origin: 'agent' },
        thread: `run:${id}`,
        metadata: { run: id, version },
      },
      lead,
    );
  }
}

function hasEnded({ id, status }: RunRecord, result: SwarmResult | undefined): KeepsakeError {
  const why = result === undefined ? `is ${status}` : `has the result ${result.id}`;
  return new KeepsakeError('CONFLICT', `The run ${id} ${why}; another result cannot be stored.`, {
    hint: 'Start another run.',
  });
}

function mayEnter({ role, agent }: Viewer, { participants }: RunRecord): boolean {
  return role === 'admin' || participants.some(({ name }) => name === agent);
}

/** With the lesser of the two roles: the one in the run, and the one of the connection. */
function actorOf({ participants }: RunRecord, { viewer, via, session }: Caller): Actor {
  const own = participants.find(({ name }) => name === viewer.agent)!;
  const role = own.role === 'reader' ? 'reader' : viewer.role;
  return { agent: own.name, role, via, session };
}

function writing(run: RunRecord, caller: Caller): Actor {
  const { viewer } = caller;
  if (!run.participants.some(({ name }) => name === viewer.agent)) {
    throw new KeepsakeError('FORBIDDEN', 'Only a participant speaks in a run.', {
      hint: 'Name one with the header Keepsake-Agent.',
    });
  }
  const actor = actorOf(run, caller);
  if (actor.role !== 'reader') return actor;
  throw new KeepsakeError('FORBIDDEN', 'A reader may not write.', {
    hint: 'Use a key with the role worker or lead.',
  });
}

const modelsOf = (models: RunUsage['models']): string => Object.keys(models).join(', ').slice(0, MAX_LABEL);
