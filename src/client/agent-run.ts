/** Opens a session: combines the options of an agent and the configuration into the plan of its run. */
import { AgentRun, Instructions, Session, ShownMemories } from '../agents/index.ts';
import { resolveAgentConfig } from '../config/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { modelsToRun } from './agent-models.ts';
import { agentTools } from './agent-tools.ts';
import type { Engine } from './engine.ts';
import { limitsOf, type Runner, type SessionKind } from './run-settings.ts';

/** The models are opened before the first prompt, so that a missing key or package is reported at once. */
export async function openSession(
  runner: Runner,
  engine: Engine,
  kind: SessionKind = 'chat',
): Promise<Session> {
  const {
    name: agent,
    role,
    via,
    settings,
    conversation,
    compressor,
    longTermMemory,
    swarm,
    isStateless = false,
  } = runner;
  const { instructions, rules, customRules } = runner;
  const id = engine.ids('ses');
  const models = await modelsToRun(runner, engine);
  const configured = agent === null ? engine.config : resolveAgentConfig(engine.config, agent);
  const own = { ...configured.memory, ...settings.memory };
  const memory = { ...own, readOnly: own.readOnly || role === 'reader' };
  const everyLoop = settings.ragEveryLoop ?? (agent === null ? false : configured.knowledge.everyLoop);
  const caller: Caller | undefined =
    agent === null
      ? undefined
      : {
          viewer: { agent, role, ...defined({ user: runner.user }) },
          ...defined({ thread: runner.thread }),
          ...{ via: 'tool', session: id, ...limitsOf(settings) },
        };
  const soulFile = agent === null ? undefined : engine.paths.soulFile(agent);
  const shown = new ShownMemories();
  const run = new AgentRun(
    {
      ...{
        id,
        agent,
        kind,
        via,
        caller,
        models,
        memory,
        conversation,
        compressor,
        shown,
        swarm,
        isStateless,
      },
      instructions: new Instructions({ instructions, rules, customRules, soulFile }),
      knowledge: longTermMemory === null ? null : { memory: longTermMemory, everyLoop },
      tools: agentTools({ runner, caller, remembers: memory.enabled, shown }, engine),
      maxLoops: settings.maxLoops ?? 'auto',
      temperature: settings.temperature,
    },
    engine,
  );
  run.takeUpReviews();
  return new Session(run, engine.sessions);
}
