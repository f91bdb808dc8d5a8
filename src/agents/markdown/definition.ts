/** An agent as its file defines it: `agents/<name>.md`, settings above and the prompt below. */
import { z } from 'zod';
import { type Config, type ConfigProblem, type HistoryLevel, parseConfig } from '../../config/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { explainIssue, unknownName } from '../../kernel/explain-issue.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { nearestName } from '../../kernel/nearest.ts';
import { TOOL_NAMES } from './built-in-tools.ts';
import { type Frontmatter, type KeyPath, readFrontmatter } from './frontmatter.ts';
import { type AgentProblem, agentError } from './problems.ts';
import { TRIGGER_KEYS, type Trigger, trigger } from './trigger.ts';

export interface AgentDefinition {
  readonly name: string;
  readonly file: string;
  readonly description?: string;
  /** What is not said here is as the configuration says. */
  readonly model?: string;
  readonly light?: string;
  readonly history?: HistoryLevel;
  readonly memory?: Partial<Config['memory']>;
  readonly tools?: readonly string[];
  readonly paths: readonly string[];
  readonly allowHosts: readonly string[];
  readonly trigger: Trigger;
  readonly maxLoops?: number | 'auto';
  readonly temperature?: number;
  readonly rules?: string;
  readonly prompt: string;
}

/** YAML of today takes "off" and "no" for texts, YAML of old for false; people write both. */
const SWITCHES: Readonly<Record<string, boolean>> = { on: true, yes: true, off: false, no: false };

function switched(value: unknown): unknown {
  return typeof value === 'string' ? (SWITCHES[value.toLowerCase()] ?? value) : value;
}

const tool = z.string().superRefine((name, context) => {
  if (TOOL_NAMES.includes(name)) return;
  const near = nearestName(name, TOOL_NAMES);
  const help = near === undefined ? `there are ${TOOL_NAMES.join(', ')}` : `did you mean "${near}"?`;
  context.addIssue({ code: 'custom', message: `there is no tool ${JSON.stringify(name)}; ${help}` });
});

/** A file may come from somebody else: it cannot open more of the machine than the folder it lies in. */
const path = z
  .string()
  .min(1)
  .refine((text) => !/^[\\/~]|^[a-z]:|\0/i.test(text) && !text.split(/[\\/]/).includes('..'), {
    message: 'expected a path inside the workspace such as "output/"',
  });

/** One entry may stand without a list. */
const listOf = <T extends z.ZodType>(entry: T) =>
  z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(entry));

const schema = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  // These four are checked by the schema of the configuration, where they mean the same.
  model: z.unknown().optional(),
  light: z.unknown().optional(),
  history: z.unknown().optional(),
  memory: z.unknown().optional(),
  tools: listOf(tool).optional(),
  paths: listOf(path).default([]),
  allowHosts: listOf(z.string().regex(/^[^\s/]+$/, 'expected a host such as "localhost:8080"')).default([]),
  trigger: trigger.default({ type: 'manual' }),
  maxLoops: z.union([z.int().min(1).max(1000), z.literal('auto')]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  rules: z.string().optional(),
});

const KEYS = Object.keys(schema.shape);

/** `provider` and `name` may stand in a block of their own. */
function modelName(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { provider, name, ...rest } = given as Record<string, unknown>;
  const isBlock = typeof provider === 'string' && typeof name === 'string' && Object.keys(rest).length === 0;
  return isBlock ? `${provider}/${name}` : given;
}

interface Configured {
  readonly value: Pick<AgentDefinition, 'model' | 'light' | 'history' | 'memory'>;
  readonly problems: readonly { readonly path: KeyPath; readonly message: string; readonly suggestion?: string }[];
}

/** Keys of the file by what the configuration calls them. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'models.main': 'model', 'models.light': 'light' };

/** What has the same meaning in keepsake.jsonc is checked by it, in the same words. */
function checkConfigured(settings: Frontmatter['settings']): Configured {
  const [model, light] = [modelName(settings.model), modelName(settings.light)];
  const history = switched(settings.history);
  const wanted = switched(settings.memory);
  const given: Record<string, unknown> = {
    ...(history === undefined ? {} : { history }),
    ...(wanted === undefined ? {} : { memory: typeof wanted === 'boolean' ? { enabled: wanted } : wanted }),
    ...(model === undefined && light === undefined
      ? {}
      : { models: { ...(model === undefined ? {} : { main: model }), ...(light === undefined ? {} : { light }) } }),
  };
  try {
    const own = parseConfig({ agents: { agent: given } }).agents.agent!;
    return {
      problems: [],
      value: {
        ...(own.history === undefined ? {} : { history: own.history }),
        ...(own.memory === undefined ? {} : { memory: own.memory as Partial<Config['memory']> }),
        ...(own.models?.main === undefined ? {} : { model: own.models.main }),
        ...(own.models?.light === undefined ? {} : { light: own.models.light }),
      },
    };
  } catch (error) {
    if (!KeepsakeError.is(error) || error.code !== 'INVALID_CONFIG') throw error;
    const found = error.details.problems as readonly ConfigProblem[];
    const problems = found.map(({ path: where, message, suggestion }) => {
      const key = where.replace(/^agents\.agent\.?/, '');
      return {
        path: (ELSEWHERE[key] ?? key).split('.'),
        message,
        ...(suggestion === undefined ? {} : { suggestion }),
      };
    });
    return { problems, value: {} };
  }
}

function explain(issue: z.core.$ZodIssue, front: Frontmatter, file: string): AgentProblem[] {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path[0] === 'trigger' ? TRIGGER_KEYS : KEYS;
    return issue.keys.map((key) => ({
      file,
      ...front.locate([...issue.path, key], 'key'),
      path: [...issue.path, key].map(String).join('.'),
      message: unknownName(key, known),
    }));
  }
  // Of the forms that a trigger may have, the block is the one that says what is wrong with it.
  if (issue.code === 'invalid_union' && issue.path[0] === 'trigger' && typeof front.settings.trigger === 'object') {
    const inner = issue.errors.at(-1) ?? [];
    return inner.flatMap((each) => explain({ ...each, path: [...issue.path, ...each.path] }, front, file));
  }
  return [
    { file, ...front.locate(issue.path, 'value'), path: at, message: explainIssue(issue, front.settings, []) },
  ];
}

function nameProblem(given: unknown, name: string): string | undefined {
  if (given !== undefined && given !== name && typeof given === 'string') {
    return `the file is called "${name}.md", so the agent is too; rename one of the two`;
  }
  try {
    checkAgentName(name);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Everything that is wrong with it at once, in the order of the file. `name` is that of the file, without its ending. */
export function examineAgent(
  file: string,
  name: string,
  text: string,
): { readonly definition?: AgentDefinition; readonly problems: readonly AgentProblem[] } {
  const front = readFrontmatter(file, text);
  if (front.problems.length > 0) return { problems: front.problems };
  const problems: AgentProblem[] = [];
  const misnamed = nameProblem(front.settings.name, name);
  if (misnamed !== undefined) {
    problems.push({ file, ...front.locate(['name'], 'value'), path: 'name', message: misnamed });
  }
  const result = schema.safeParse(front.settings);
  for (const issue of result.error?.issues ?? []) problems.push(...explain(issue, front, file));
  const configured = checkConfigured(front.settings);
  for (const { path: where, ...words } of configured.problems) {
    const part = words.message.startsWith('unknown key') ? 'key' : 'value';
    problems.push({ file, ...front.locate(where, part), path: where.join('.'), ...words });
  }
  if (front.prompt === '') {
    const line = text.trimEnd().split('\n').length + 1;
    problems.push({ file, line, column: 1, path: '', message: 'there is no prompt below the frontmatter' });
  }
  if (!result.success || problems.length > 0) {
    return { problems: problems.sort((a, b) => a.line! - b.line! || a.column! - b.column!) };
  }
  const { name: _name, model: _model, light: _light, history: _history, memory: _memory, ...own } = result.data;
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Omit<
    AgentDefinition,
    'name' | 'file' | 'prompt'
  >;
  return { definition: { name, file, ...said, ...configured.value, prompt: front.prompt }, problems: [] };
}

export function parseAgent(file: string, name: string, text: string): AgentDefinition {
  const { definition, problems } = examineAgent(file, name, text);
  if (definition === undefined) throw agentError(name, problems);
  return definition;
}
