/** An agent as its file defines it: `agents/<name>.md`, settings above and the prompt below. */

import { explainIssue, unknownName } from '../../kernel/explain-issue.ts';
import { checkAgentName } from '../../kernel/names.ts';
import type { z } from '../../kernel/zod.ts';
import type { AgentRole } from './agent-role.ts';
import { type ConfiguredSettings, readConfigured } from './configured.ts';
import { type Frontmatter, readFrontmatter } from './frontmatter.ts';
import { type AgentProblem, agentError } from './problems.ts';
import { frontmatterSchema, knownKeys } from './schema.ts';
import type { Trigger } from './trigger.ts';

/** Settings that the file leaves out are as the configuration says. */
export interface AgentDefinition extends ConfiguredSettings {
  readonly name: string;
  readonly file: string;
  readonly description?: string;
  /** Default: worker. */
  readonly role?: AgentRole;
  readonly tools?: readonly string[];
  readonly paths: readonly string[];
  readonly allowHosts: readonly string[];
  readonly trigger: Trigger;
  readonly maxLoops?: number | 'auto';
  readonly temperature?: number;
  readonly rules?: string;
  readonly prompt: string;
}

export type Examined =
  | { readonly definition: AgentDefinition; readonly problems: readonly [] }
  | { readonly definition?: undefined; readonly problems: readonly AgentProblem[] };

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.');

function explain(issue: z.core.$ZodIssue, front: Frontmatter, file: string): AgentProblem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      file,
      ...front.locate([...path, key], 'key'),
      path: pathText([...path, key]),
      message:
        path.length === 0 && knownKeys('trigger').includes(key)
          ? `"${key}" belongs to "trigger"; indent the lines below "trigger:" by two spaces`
          : unknownName(key, knownKeys(path[0])),
    }));
  }
  if (issue.code === 'invalid_union' && path[0] === 'trigger') {
    // Of the forms that a trigger may have, the block is the one that says what is wrong with it.
    const inner = typeof front.settings.trigger === 'object' ? (issue.errors.at(-1) ?? []) : [];
    if (inner.length > 0) {
      return inner.flatMap((each) => explain({ ...each, path: [...path, ...each.path] }, front, file));
    }
    const message = 'expected "manual", or a block with "type: schedule" and "every" or "cron"';
    return [{ file, ...front.locate(path, 'value'), path: pathText(path), message }];
  }
  const message = explainIssue(issue, front.settings, []);
  return [{ file, ...front.locate(path, 'value'), path: pathText(path), message }];
}

function nameProblem(given: unknown, name: string): string | undefined {
  if (typeof given === 'string' && given !== name) {
    return `the file is called "${name}.md", so the agent is "${name}"; rename one of the two`;
  }
  try {
    checkAgentName(name);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function problemsOf(file: string, name: string, text: string, front: Frontmatter): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const misnamed = nameProblem(front.settings.name, name);
  if (misnamed !== undefined) {
    problems.push({ file, ...front.locate(['name'], 'value'), path: 'name', message: misnamed });
  }
  const { error } = frontmatterSchema.safeParse(front.settings);
  for (const issue of error?.issues ?? []) problems.push(...explain(issue, front, file));
  for (const { path, ...words } of readConfigured(front.settings).problems) {
    const part = words.message.startsWith('unknown key') ? 'key' : 'value';
    problems.push({ file, ...front.locate(path, part), path: pathText(path), ...words });
  }
  if (front.prompt === '') {
    const line = text.trimEnd().split('\n').length + 1;
    problems.push({ file, line, column: 1, path: '', message: 'there is no prompt below the frontmatter' });
  }
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Everything that is wrong with it at once, in the order of the file. `name` is that of the file, without its ending. */
export function examineAgent(file: string, name: string, text: string): Examined {
  const front = readFrontmatter(file, text);
  if (front.problems.length > 0) return { problems: front.problems };
  const problems = problemsOf(file, name, text, front);
  if (problems.length > 0) return { problems };
  const { settings, prompt } = front;
  const read = frontmatterSchema.parse(settings);
  const { name: _name, model: _model, light: _light, history: _history, memory: _memory, ...rest } = read;
  const { persistentMemory: _persistent, ...own } = rest;
  // What was left out is absent, as in the file, and not undefined.
  const said = own as Omit<AgentDefinition, 'name' | 'file' | 'prompt' | keyof ConfiguredSettings>;
  return { definition: { name, file, ...said, ...readConfigured(settings).value, prompt }, problems: [] };
}

export function parseAgent(file: string, name: string, text: string): AgentDefinition {
  const { definition, problems } = examineAgent(file, name, text);
  if (definition === undefined) throw agentError(name, problems);
  return definition;
}
