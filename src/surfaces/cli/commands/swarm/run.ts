/** `keepsake swarm run`: a task for a swarm, with a live view of what its agents do. */
import type { Command } from 'commander';
import { agentSettings } from '../../../../administration/agent-definitions.ts';
import { type FoundSwarm, swarmsFind } from '../../../../administration/swarm-definitions.ts';
import type { SwarmRun } from '../../../../client/index.ts';
import { defined } from '../../../../kernel/defined.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { readStdin } from '../../read-stdin.ts';
import { watchRun } from '../../show/swarm/watch.ts';
import { costText } from '../../show/swarm.ts';
import { oneLine, printable } from '../../terminal/printable.ts';
import { interruptible } from '../run/interruption.ts';
import { openClient } from '../run/open-agent.ts';

interface SwarmFlags {
  readonly watch?: boolean;
}

/** On stderr, because stdout is for the answer. */
function follow(run: SwarmRun, flags: SwarmFlags, context: Context): Promise<void> {
  const { output } = context;
  output.note(`run ${run.id}: ${run.participants.map(({ name }) => oneLine(name)).join(', ')}`);
  if (flags.watch !== true || output.json || output.quiet) return Promise.resolve();
  return watchRun(run, context, {
    print: (line) => void process.stderr.write(`${line}\n`),
    paint: output.paintError,
    after: 1,
  });
}

async function runSwarm(
  name: string,
  words: readonly string[],
  flags: SwarmFlags,
  context: Context,
): Promise<void> {
  const { output } = context;
  await context.missingWorkspace();
  const found = await swarmsFind({ workspace: context.workspace, name });
  for (const warning of found.workspace.warnings) output.note(`warning: ${warning}`);
  const isStdin = words.length === 1 && words[0] === '-';
  const task = isStdin ? await readStdin((text) => output.note(text)) : words.join(' ');
  await interruptible(async (signal) => {
    const client = await openClient(context);
    let watching: Promise<void> = Promise.resolve();
    const stopNotes = client.events.subscribe((event) => {
      if (event.type === 'swarm.participant.finished') output.note(`· ${oneLine(event.agent ?? '')} is done`);
      if (event.type === 'swarm.participant.failed')
        output.note(`· ${oneLine(event.agent ?? '')} gave no answer (${event.code})`);
    });
    try {
      const { config } = await client.open();
      const outcome = await client.swarm(optionsOf(found, config)).run(task, {
        signal,
        onStart: (run) => {
          watching = follow(run, flags, context).catch(() => {});
        },
      });
      await watching;
      const { run, earlier, cached } = outcome;
      if (cached !== undefined) output.note(`the answer of ${run.id}, given again`);
      else output.note(`${run.status}, ${costText(run.usage)}`);
      if (earlier.length > 0) output.note(`builds on ${earlier.map(({ id }) => id).join(', ')}`);
      output.result(outcome, { text: () => printable(outcome.output), quiet: () => run.id });
    } finally {
      stopNotes();
      await client.close();
    }
  });
}

function optionsOf(
  { name, settings: { agents, lead, cache, ...settings }, definitions }: FoundSwarm,
  config: Parameters<typeof agentSettings>[1],
) {
  const members = definitions.map((definition) => agentSettings(definition, config));
  return {
    ...settings,
    name,
    agents: members.filter((member) => agents.includes(member.name)),
    lead: agents.includes(lead) ? lead : members.find((member) => member.name === lead)!,
    ...defined({ cache }),
  };
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Runs a swarm that "swarms" in keepsake.jsonc names: its agents work side by side, then its lead combines their findings. The answer goes to stdout, progress to stderr, with --watch in full. Any other process can look at the run and cancel it.',
    )
    .argument('<swarm>', 'Name of the swarm')
    .argument('<task...>', 'What to do, in words; "-" reads it from stdin')
    .option('--watch', 'Show every message and every change of the working memory as they come')
    .action((name: string, task: string[], flags: SwarmFlags) => runSwarm(name, task, flags, context));
  addExamples(
    command,
    [
      'keepsake swarm run market "How will Norway build its hydrogen economy?"',
      'keepsake swarm run market --watch - < question.txt',
      'keepsake swarm run market "Compare three databases." --json',
    ],
    context,
  );
}
