/** Puts an agent's sessions together: its models, tools, memory and conversation. */
import { readFile } from 'node:fs/promises';
import {
  conversationTranscript,
  fileTools,
  httpTool,
  moreContextTool,
  PromptSource,
  passingTranscript,
  runLoop,
  runTools,
  Session,
  type SessionEvent,
  sharedTranscript,
  type Tool,
  type Transcript,
  untilStopped,
} from '../agents/index.ts';
import { type Config, resolveAgentConfig } from '../config/index.ts';
import { type Assembled, type Receipt, shownId } from '../context/index.ts';
import type { Compression } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { EventDraft, KeepsakeEvent } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ModelCall } from '../ports/model-meter.ts';
import { modelsToRun } from './agent-models.ts';
import { packTools } from './agent-tools.ts';
import { endOfSession } from './end-of-session.ts';
import type { Engine } from './engine.ts';
import { pendingReview, takeUpReviews } from './pending-reviews.ts';
import { limitsOf, type Pack, type Runner, type SessionKind } from './run-settings.ts';

type Memory = Config['memory'];

function memoryOf({ name, settings }: Runner, config: Config): Memory {
  const base = name === null ? config.memory : resolveAgentConfig(config, name).memory;
  return { ...base, ...settings.memory };
}

const IN_RUNS: readonly Pack[] = ['state', 'context'];

/** The same for every prompt of a session. */
function builtInTools(
  runner: Runner,
  memory: Memory,
  engine: Engine,
  caller: Caller | undefined,
  receipts: readonly Receipt[],
): Tool[] {
  const { settings, conversation } = runner;
  const { paths } = engine;
  const fullId = (named: string): string =>
    receipts.map((receipt) => shownId(receipt, named)).find((id) => id !== undefined) ?? named;
  const packs = settings.packs ?? [
    ...(['sections', 'context'] as const),
    ...(memory.enabled ? (['facts'] as const) : []),
  ];
  const make: Readonly<Record<Pack, () => Tool[]>> = {
    facts: () => packTools('facts', { services: engine, caller, fullId }),
    sections: () => packTools('sections', { services: engine, caller, fullId }),
    swarm: () => packTools('swarm', { services: engine, caller, fullId }),
    context: () => (conversation === null ? [] : [moreContextTool(conversation)]),
    state: () => runTools(runner.swarm),
    files: () =>
      fileTools({
        root: paths.root,
        paths: settings.paths ?? [],
        own: [paths.agentsFolder, paths.dataFolder, paths.configFile],
      }),
    http: () => [httpTool({ allow: settings.allowHosts ?? [] })],
  };
  // Whoever takes part in a run reaches what all share there and what was said, whichever tools it has besides.
  const shared = runner.swarm === undefined ? [] : IN_RUNS;
  const chosen = new Set(packs.filter((pack) => !shared.includes(pack)));
  return [
    ...[...chosen]
      .flatMap((pack) => make[pack]())
      .filter(({ name }) => settings.toolNames?.includes(name) ?? true),
    ...shared.flatMap((pack) => make[pack]()),
  ];
}

/** What the program brings takes the place of ours with the same name. */
function withOwn(builtIn: readonly Tool[], own: readonly Tool[] = []): Tool[] {
  const names = new Set(own.map(({ name }) => name));
  return [...builtIn.filter(({ name }) => !names.has(name)), ...own];
}

async function soulOf({ name }: Runner, { paths }: Engine): Promise<string | undefined> {
  if (name === null) return undefined;
  try {
    return await readFile(paths.soulFile(name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What every session of the agent begins with, whatever it is asked. */
async function toldBefore(runner: Runner, engine: Engine): Promise<string[]> {
  const { instructions, rules, customRules } = runner;
  // By then the answer is given: a file that cannot be read any more costs a comparison, not the review.
  const soul = await soulOf(runner, engine).catch(() => undefined);
  return [instructions, rules, customRules, soul].filter((text) => text !== undefined);
}

/** A session of the agent; the models are opened before the first prompt, so that what is missing is told at once. */
export async function openSession(
  runner: Runner,
  engine: Engine,
  kind: SessionKind = 'chat',
): Promise<Session> {
  const { name, role, via, settings, conversation, longTermMemory } = runner;
  const { config, clock, ids, storage, hub } = engine;
  const id = ids('ses');
  const own = await modelsToRun(runner, engine);
  let onCall: (call: ModelCall) => void = () => {};
  const models = own.fork((call) => {
    runner.swarm?.onCall(call);
    onCall(call);
  });
  const memory = memoryOf(runner, config);
  const viewer = name === null ? undefined : { agent: name, role };
  const caller: Caller | undefined = viewer && { viewer, via: 'tool', session: id, ...limitsOf(settings) };
  const kept: Transcript =
    conversation === null ? passingTranscript(clock, ids) : conversationTranscript(conversation);
  const transcript = runner.swarm === undefined ? kept : sharedTranscript(kept, runner.swarm);
  const isLearning = memory.enabled && !memory.readOnly && name !== null;
  const pending = isLearning ? pendingReview(engine, { session: id, agent: name, kind }) : undefined;
  const emit = async (...events: (SessionEvent | { readonly type: 'memory.recalled' })[]) => {
    const envelope = { at: clock.now(), via, session: id, ...(name === null ? {} : { agent: name }) };
    hub.publish(
      await storage.events.append(events.map((event) => ({ ...event, ...envelope }) as EventDraft)),
    );
  };
  const everyLoop =
    settings.ragEveryLoop ?? (name === null ? false : resolveAgentConfig(config, name).knowledge.everyLoop);
  const prompts = new PromptSource(
    {
      session: id,
      model: models.main.id,
      agent: name,
      instructions: runner.instructions,
      rules: runner.rules,
      customRules: runner.customRules,
      soul: () => soulOf(runner, engine),
      memory:
        memory.enabled && name !== null ? { budgets: { maxCharsInjected: memory.maxCharsInjected } } : null,
      knowledge:
        longTermMemory === null
          ? null
          : { query: (text) => longTermMemory.query(text, { limit: 5 }), everyLoop },
    },
    { records: engine.records, sections: engine.sections, caller, transcript },
  );
  /** A summary that could not be written costs room, not the answer. */
  const compress = async (): Promise<Compression | null> => {
    const compressor = await runner.compressor();
    if (compressor === null || conversation === null) return null;
    return compressor.compressIfNeeded(conversation).catch(() => null);
  };

  /** Of every prompt so far, newest first: the model may name a memory by the id that it was shown there. */
  const receipts: Receipt[] = [];
  let builtIn: readonly Tool[] | undefined;

  /** Memory that was shown is counted, and the receipt kept, in one write. */
  async function keep(receipt: Receipt, recalled: Assembled['recalled'], loop: number): Promise<void> {
    const told = { type: 'session.receipt', loop, receipt: receipt as unknown as JsonObject } as const;
    if (loop > 1 || !memory.enabled || name === null) return emit(told);
    const shown = memory.readOnly ? [] : receipt.memories.map((entry) => entry.id);
    const counted = storage.records.countAccess(shown, 'injection', clock.now());
    await Promise.all([counted, emit({ type: 'memory.recalled', ...recalled }, told)]);
  }

  async function* run(prompt: string, signal: AbortSignal, sent: Promise<void>) {
    const begun = prompts.begin(prompt, clock.now());
    // Told below, once what was said is kept.
    begun.catch(() => {});
    const [task] = await Promise.all([transcript.add('User', prompt), sent]);
    prompts.placed(task.id);
    await untilStopped(begun, signal);
    let kept = Promise.resolve();
    builtIn ??= builtInTools(runner, memory, engine, caller, receipts);
    yield* runLoop({
      model: models.main,
      tools: withOwn(builtIn, settings.tools),
      transcript,
      maxLoops: settings.maxLoops ?? 'auto',
      temperature: settings.temperature,
      context: { agent: name, session: id, signal },
      prompt: async (loop) => {
        await compress();
        const { messages, receipt, recalled } = await prompts.assemble(loop);
        if (loop === 1) receipts.unshift(receipt);
        kept = keep(receipt, recalled, loop);
        // Told when it is waited for.
        kept.catch(() => {});
        return messages;
      },
      receiptKept: () => kept,
      spent: () => models.meter.byRole().main.cost,
    });
  }

  const teaching = { engine, memory, speaker: transcript.speaker };
  const session = new Session({
    id,
    agent: name,
    run,
    usage: () => ({ ...models.meter.total(), models: models.meter.byModel() }),
    onCall: (listener) => {
      onCall = listener;
    },
    emit: async (event) => {
      await Promise.all([pending?.note(event.type, transcript.said), emit(event)]);
    },
    subscribe: (listener: (event: KeepsakeEvent) => void) =>
      hub.subscribe((event) => {
        // A conversation calls its run a session, and one that is compacted concerns every session on it.
        const isShared = event.session === undefined || event.session === conversation?.run;
        const isOurs = event.session === id || (isShared && event.agent === name && name !== null);
        if (isOurs) listener(event);
      }),
    ended: () => engine.sessions.delete(session),
    learn: async (outcome, task) => {
      const report = await endOfSession({
        ...teaching,
        models,
        caller,
        session: id,
        told: await toldBefore(runner, engine),
        said: transcript.said,
        outcome,
        task: kind === 'chat' ? undefined : task,
        isAutomatic: kind === 'automatic',
      });
      await pending?.done(report);
    },
  });
  engine.sessions.add(session);
  if (isLearning && caller !== undefined) {
    takeUpReviews({ ...teaching, models: own, caller, agent: name, told: () => toldBefore(runner, engine) });
  }
  return session;
}
