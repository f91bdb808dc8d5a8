/** The pack `state`: runs of swarms that the agent is part of, with their working memory and what is said in them. */
import { z } from 'zod';
import { operations } from '../../../operations/index.ts';
import { mcpTool } from '../tool.ts';
import type { Pack } from './shared.ts';

const run = z.string().describe('Id of the run, as swarm_runs shows it.');
const path = z
  .string()
  .describe('Where in the shared document: a JSON Pointer such as /findings/0, or "" for all of it.');
const value = z.unknown().describe('Any JSON: an object, a list, a text, a number.');
/** The operations call the run their id. */
const renamed = { id: 'run', ifVersion: 'if_version' };
const changed = z.object({ version: z.number() });

export const statePack: Pack = (engine, caller) => [
  mcpTool({
    name: 'swarm_runs',
    title: 'List runs',
    description: 'Lists the runs of swarms that you are part of, newest first.',
    effect: 'read',
    input: z.object({ status: z.enum(['running', 'completed', 'failed', 'cancelled']).default('running') }),
    output: z.object({
      runs: z.array(z.object({ id: z.string(), swarm: z.string(), status: z.string(), task: z.string() })),
    }),
    run: async ({ status }) => {
      const found = await operations.swarmList.run(engine, { status, limit: 20 }, caller);
      const runs = found.map(({ id, swarm, status: state, task }) => ({ id, swarm, status: state, task }));
      const text = runs.map(({ id, swarm, task }) => `[${id}] ${swarm}: ${task}`).join('\n');
      return { structured: { runs }, text: text || 'You are part of no such run.' };
    },
  }),
  mcpTool({
    name: 'state_get',
    title: 'Read the working memory',
    description:
      'Shows the working memory that all participants of a run share, or one part of it, and its version.',
    effect: 'read',
    renamed,
    input: z.object({ run, path: path.default('') }),
    output: z.object({ version: z.number(), value: z.unknown() }),
    run: async ({ run: id, path: where }) => {
      const look = await operations.stateGet.run(engine, { id, path: where }, caller);
      const { version, value: found = null } = look;
      return {
        structured: { version, value: found },
        text:
          look.value === undefined ? `Nothing is there (version ${version}).` : JSON.stringify(look, null, 2),
      };
    },
  }),
  mcpTool({
    name: 'state_set',
    title: 'Change the working memory',
    description:
      'Puts a value into the working memory of a run, in place of what was there. To add to a list, use state_append.',
    effect: 'write-once',
    renamed,
    input: z.object({
      ...{ run, path, value },
      if_version: z.int().optional().describe('Only if the document is still at this version.'),
    }),
    output: changed,
    run: async ({ run: id, path: where, value: given, if_version: ifVersion }) => {
      const input = { id, path: where, value: given ?? null };
      const { version } = await operations.stateSet.run(
        engine,
        ifVersion === undefined ? input : { ...input, ifVersion },
        caller,
      );
      return { structured: { version }, text: `Set ${where}; the document is at version ${version}.` };
    },
  }),
  mcpTool({
    name: 'state_append',
    title: 'Share a finding',
    description:
      'Adds one entry to the end of a list in the working memory of a run, for example a finding to /findings.',
    effect: 'write',
    renamed,
    input: z.object({ run, path, value }),
    output: changed.extend({ length: z.number() }),
    run: async ({ run: id, path: where, value: given }) => {
      const input = { id, path: where, value: given ?? null };
      const { version, length } = await operations.stateAppend.run(engine, input, caller);
      return { structured: { version, length }, text: `Appended to ${where}: entry ${length}.` };
    },
  }),
  mcpTool({
    name: 'run_messages',
    title: 'Read what was said',
    description: 'Shows what the agents of a run said and did, oldest first.',
    effect: 'read',
    renamed,
    input: z.object({
      run,
      after: z.int().optional().describe('Only messages after this number.'),
      from: z.string().optional().describe('Only the conversation of this agent.'),
      limit: z.int().min(1).max(100).default(20),
    }),
    output: z.object({
      messages: z.array(
        z.object({ seq: z.number(), agent: z.string(), role: z.string(), content: z.unknown() }),
      ),
    }),
    run: async ({ run: id, ...query }) => {
      const found = await operations.swarmMessages.run(engine, { id, ...query }, caller);
      const messages = found.map(({ seq, agent, role, content }) => ({ seq, agent, role, content }));
      const lines = messages.map(
        ({ seq, agent, role, content }) =>
          `[${seq}] ${agent === role ? agent : `${agent} ← ${role}`}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
      );
      return { structured: { messages }, text: lines.join('\n') || 'There is nothing more.' };
    },
  }),
];
