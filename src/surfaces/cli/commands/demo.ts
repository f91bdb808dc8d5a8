/** `keepsake demo`: stores a memory, kills the process that stored it, and finds the memory again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { workspaceInit } from '../../../administration/init.ts';
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { invocation, quoted } from '../invocation.ts';
import type { Output } from '../output.ts';
import { packageVersion } from '../package.ts';
import * as show from '../show/memory/views.ts';
import { ask, storeAndKill } from './demo/crash.ts';

const AGENT = 'demo';
const MEMORY = { category: 'preference', content: 'Prefers short answers, with code in Python.' };
const QUESTION = 'Python answers';
const SHOWN = 5;

/** The process that will be killed: it stores, says so in one line, and stays until then. */
async function write(context: Context): Promise<void> {
  const engine = await context.open();
  const caller = { viewer: { agent: AGENT, role: 'worker' }, via: 'cli' } as const;
  const memory = await callVerb(verbs.memoryAdd, engine, MEMORY, caller);
  process.stdout.write(`${JSON.stringify(memory)}\n`);
  // Ends by itself when nobody is left to kill it.
  for await (const _ of process.stdin);
}

/** Talk for people; --json and --quiet have none of it. */
function say({ json, quiet }: Output, lines: readonly string[]): void {
  if (!json && !quiet) process.stdout.write(`${lines.join('\n')}\n`);
}

async function survive(context: Context, workspace: string): Promise<void> {
  const { output } = context;
  const { paint } = output;
  const step = (number: number, text: string): string => `${paint('cyan', `${number}.`)} ${text}`;
  say(output, [`${paint('bold', 'Keepsake')} ${packageVersion()} · a memory that survives kill -9`, '']);
  const { memory, pid, signal } = await storeAndKill(workspace);
  say(output, [
    step(1, `Process ${pid} stored a memory for the agent "${AGENT}":`),
    `     ${paint('bold', memory.content)}`,
    step(2, `It was killed with ${signal} the moment it said so: no goodbye, no last flush.`),
  ]);
  const question = ['memory', 'search', QUESTION, '--agent', AGENT, '--workspace', workspace];
  const { answer, pid: secondPid } = await ask(question);
  const hits = answer as Parameters<typeof show.found>[0];
  const recalled = hits.some(({ id }) => id === memory.id);
  if (!recalled) context.exitCode = 70;
  say(output, [step(3, `Process ${secondPid} searched for "${QUESTION}" and found:`), '']);
  if (output.json || output.quiet) {
    const result = { firstStart: true, killed: { pid, signal }, memory, recalled, hits };
    output.result(result, { text: () => [], quiet: () => memory.id });
  } else {
    show.found(hits, context, { agent: AGENT, options: {}, input: {} });
    say(output, ['', 'An add answers only when the memory is on the disk.']);
  }
}

function welcomeBack(memories: Parameters<typeof show.listed>[0], context: Context): void {
  const { output } = context;
  if (output.json || output.quiet) {
    output.result(
      { firstStart: false, memories },
      { text: () => [], quiet: () => memories.map(({ id }) => id) },
    );
    return;
  }
  const newest = memories.slice(0, SHOWN);
  const what = memories.length > SHOWN ? 'the newest of what is still here' : 'this is still here';
  say(output, [`${output.paint('bold', 'Keepsake')} ${packageVersion()} · welcome back; ${what}:`, '']);
  show.listed(newest, context, { agent: undefined, options: {}, input: { limit: SHOWN + 1 } });
}

/** A terminal that a server keeps busy takes no commands. */
function next(output: Output, workspace: string, isServing: boolean): string[] {
  const suffix = output.paint('dim', ` --workspace ${quoted(relative(process.cwd(), workspace) || '.')}`);
  const commands = [
    'memory add "The meeting is on Friday."',
    'memory search "meeting"',
    ...(isServing ? ['watch'] : ['memory list', 'doctor']),
  ];
  const title = isServing ? 'Try next, in another terminal; the inspector shows it at once:' : 'Try next:';
  return ['', title, ...commands.map((words) => `  ${invocation()} ${words}${suffix}`)];
}

async function demonstrate(
  output: Output,
  folder: string | undefined,
  context: Context,
  isServing: boolean,
): Promise<void> {
  const workspace = resolve(folder ?? mkdtempSync(join(tmpdir(), 'keepsake-demo-')));
  const inside = new Context(output, workspace, context.clock);
  try {
    workspaceInit({ folder: workspace, name: AGENT });
    const engine = await inside.open();
    const owner = { viewer: { role: 'admin' }, via: 'cli' } as const;
    const memories = await callVerb(verbs.memoryList, engine, { limit: SHOWN + 1 }, owner);
    if (memories.length === 0) await survive(inside, workspace);
    else welcomeBack(memories, inside);
    if (folder !== undefined) say(output, next(output, workspace, isServing));
  } finally {
    await inside.close();
    if (folder === undefined) rmSync(workspace, { recursive: true, force: true });
  }
  context.exitCode = inside.exitCode;
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Stores a memory in one process, kills that process with SIGKILL, and finds the memory in another. With --workspace the memory stays there, and a later start recalls it.',
    )
    .addOption(new Option('--as-writer').hideHelp())
    .addOption(new Option('--then-serving').hideHelp())
    .action(({ asWriter = false, thenServing = false }: { asWriter?: boolean; thenServing?: boolean }) =>
      asWriter ? write(context) : demonstrate(context.output, context.workspace, context, thenServing),
    );
  addExamples(command, ['keepsake demo', 'keepsake demo --workspace ./playground'], context);
}
