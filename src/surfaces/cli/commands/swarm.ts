/** `keepsake swarm`: agents that work on one task together, and what became of their runs. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { runSwarm, type SwarmFlags } from '../swarm/run-swarm.ts';
import { swarmVerbs } from '../swarm/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  const run = parent.command('run').summary('Gives a swarm a task.');
  run
    .description(
      'Runs a swarm that "swarms" in keepsake.jsonc names: its agents work side by side, then its lead puts their findings together. The answer goes to stdout; what happens meanwhile is told on stderr, with --watch in full. Any other process can look at the run and cancel it.',
    )
    .argument('<swarm>', 'Name of the swarm')
    .argument('<task...>', 'What to do, in words; "-" reads it from stdin')
    .option('--watch', 'Show every message and every change of the working memory as they come')
    .action((name: string, task: string[], flags: SwarmFlags) => runSwarm(name, task, flags, context));
  addExamples(
    run,
    [
      'keepsake swarm run market "How will Norway build its hydrogen economy?"',
      'keepsake swarm run market --watch - < question.txt',
      'keepsake swarm run market "Compare three databases." --json',
    ],
    context,
  );
  defineGroup(parent, swarmVerbs, context);
}
