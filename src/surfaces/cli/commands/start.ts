/** `keepsake start`: stays and runs scheduled agents, or runs once what is due. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  type AgentDefinition,
  asOnlyScheduler,
  createScheduler,
  listSchedules,
  readAgents,
  type SchedulePlace,
  type SchedulerEvent,
} from '../../../administration/agents-schedule.ts';
import { claimFolder } from '../../../administration/shared-folder.ts';
import type { Client } from '../../../client/index.ts';
import { ERROR_TABLE, toKeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';
import { interruptible } from './run/interruption.ts';
import { openAgent, openClient } from './run/open-agent.ts';
import { requireWorkspace } from './run/require-workspace.ts';
import { DEFAULT_TASK } from './run.ts';
import { scheduleLines, showEvent } from './start/show.ts';

/** Clocks are set and machines sleep: nobody waits longer than this without looking. Files that changed are seen then too. */
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 50;

async function runOnce(client: Client, definition: AgentDefinition, signal: AbortSignal): Promise<string> {
  const { handle } = await openAgent(client, definition);
  const session = await handle.session({ kind: 'automatic' });
  try {
    return (await session.send(DEFAULT_TASK, { signal })).text;
  } finally {
    await session.end();
  }
}

/** Says once that a file is wrong, and again when another one is. */
function agentsReader(place: SchedulePlace, context: Context): () => Promise<readonly AgentDefinition[]> {
  let told = '';
  return async () => {
    const { valid, invalid } = await readAgents(place);
    const names = invalid.map(oneLine).join(', ');
    if (names !== told && names !== '') {
      context.output.note(
        `left out, because something is wrong with them: ${names} ("keepsake validate" says what)`,
      );
    }
    told = names;
    return valid;
  };
}

async function showPlan(place: SchedulePlace, context: Context): Promise<void> {
  const { output } = context;
  const plan = await listSchedules(place);
  if (output.json) process.stdout.write(`${output.jsonLine({ type: 'schedule', agents: plan })}\n`);
  else if (!output.quiet && plan.length > 0)
    process.stdout.write(`${scheduleLines(plan, context).join('\n')}\n`);
  if (plan.length === 0) {
    output.note(
      'No agent has a schedule: write "trigger: { type: schedule, every: 1h }" into its frontmatter.',
    );
    await context.noteAgentsHere();
  }
}

async function keepRunning(
  client: Client,
  context: Context,
  once: boolean,
  leaving: AbortSignal,
  aborting: AbortSignal,
): Promise<void> {
  const place = await client.open();
  const leaveFolder = await claimFolder(place);
  const report = (event: SchedulerEvent): void => {
    showEvent(event, context);
    if (event.type === 'failed' && once)
      context.exitCode = ERROR_TABLE[toKeepsakeError(event.error).code].exit;
  };
  const scheduler = createScheduler(place, {
    agents: agentsReader(place, context),
    run: (definition, signal) => runOnce(client, definition, signal),
    report,
    signal: aborting,
  });
  await asOnlyScheduler(place, async () => {
    await showPlan(place, context);
    while (!leaving.aborted) {
      const next = await scheduler.tick();
      if (once) break;
      const wait = next === undefined ? LONGEST_WAIT_MS : next - place.clock.now();
      const ms = Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
      await Promise.race([pause(ms, undefined, { signal: leaving }).catch(() => {}), scheduler.anyEnd()]);
    }
    if (leaving.aborted && scheduler.running.length > 0) {
      context.output.note(
        `waiting for ${scheduler.running.map(oneLine).join(', ')}; Ctrl-C again stops at once`,
      );
    }
    await scheduler.settled();
  }).finally(leaveFolder);
}

async function start({ once }: { readonly once: boolean }, context: Context): Promise<void> {
  await requireWorkspace(context);
  if (!once) await context.refuseFolderAbove();
  const aborting = new AbortController();
  await interruptible(
    async (leaving) => {
      const client = await openClient(context);
      try {
        await keepRunning(client, context, once, leaving, aborting.signal);
      } finally {
        await client.close();
      }
    },
    (before, stop) => {
      if (before > 1) process.exit(ERROR_TABLE.ABORTED.exit);
      if (before === 1) aborting.abort();
      stop();
    },
  );
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Runs every agent whose frontmatter has a schedule ("every: 1h" or "cron: 0 9 * * 1-5") at its scheduled times, one run at a time per agent. Missed times are reported, and one run makes up for them. Ctrl-C waits for active runs to finish.',
    )
    .option('--once', 'Run what is due now, wait for it, and end')
    .action(({ once = false }: { once?: boolean }) => start({ once }, context));
  addExamples(command, ['keepsake start', 'keepsake start --once', 'keepsake start --json'], context);
}
