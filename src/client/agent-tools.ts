/** The tools that an agent runs with: the built-in packs it chose, and those that its program brings. */
import {
  fileTools,
  httpTool,
  moreContextTool,
  runTools,
  type ShownMemories,
  type Tool,
} from '../agents/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Engine } from './engine.ts';
import { packTools } from './memory-tools.ts';
import type { Pack, Runner } from './run-settings.ts';

const IN_RUNS: readonly Pack[] = ['state', 'context'];

export interface ToolsFor {
  readonly runner: Runner;
  /** Undefined in a raw session. */
  readonly caller: Caller | undefined;
  /** Whether long-term facts are on, which gives the agent their tools by default. */
  readonly remembers: boolean;
  /** Where a short id that the model saw is looked up. */
  readonly shown: ShownMemories;
}

/** A tool of the program takes the place of a built-in one with the same name. */
export function agentTools(given: ToolsFor, engine: Engine): Tool[] {
  const own = given.runner.settings.tools ?? [];
  const names = new Set(own.map(({ name }) => name));
  return [...builtInTools(given, engine).filter(({ name }) => !names.has(name)), ...own];
}

function builtInTools({ runner, caller, remembers, shown }: ToolsFor, engine: Engine): Tool[] {
  const { settings, conversation } = runner;
  const { paths } = engine;
  const projected = { services: engine, caller, fullId: (named: string) => shown.fullId(named) };
  const packs = settings.packs ?? [
    // With a user, the sections are those that the agent keeps about this user.
    ...(['sections', 'context'] as const),
    ...(remembers ? (['facts'] as const) : []),
  ];
  const make: Readonly<Record<Pack, () => Tool[]>> = {
    facts: () => packTools('facts', projected),
    sections: () => packTools('sections', projected),
    swarm: () => packTools('swarm', projected),
    context: () => (conversation === null ? [] : [moreContextTool(conversation)]),
    state: () => runTools(runner.swarm),
    files: () =>
      fileTools({
        root: paths.root,
        paths: settings.paths ?? [],
        own: [paths.agentsFolder, paths.dataFolder, paths.configFile],
        ...(remembers && caller !== undefined ? { written: noteTaker(engine, caller) } : {}),
      }),
    http: () => [httpTool({ allow: settings.allowHosts ?? [] })],
  };
  // Every participant of a run reaches the shared state and the messages, whichever tools it has besides.
  const shared = runner.swarm === undefined ? [] : IN_RUNS;
  const chosen = new Set(packs.filter((pack) => !shared.includes(pack)));
  return [
    ...[...chosen]
      .flatMap((pack) => make[pack]())
      .filter(({ name }) => settings.toolNames?.includes(name) ?? true),
    ...shared.flatMap((pack) => make[pack]()),
  ];
}

/** A note that the agent writes is in its memory at once, as the hook does it for Claude Code. */
function noteTaker({ notes }: Engine, caller: Caller): (file: string) => Promise<string> {
  const { agent, role } = caller.viewer;
  return async (file) => {
    if (agent === undefined || role === 'reader' || !(await notes.isNoteOf(agent, file))) return '';
    try {
      const { skipped } = await notes.indexFile(agent, file, caller);
      return skipped.length === 0
        ? ' It can be found by memory search now.'
        : ' Only a part of it could be indexed for memory search.';
    } catch {
      // The file is written; the next "keepsake notes index" takes it in.
      return ' It could not be indexed for memory search yet.';
    }
  };
}
