/** A workspace with agents in a folder of its own, a scripted model behind it, and the program to run them. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from '../../../src/testing/index.ts';
import { type Run, runCli, startCli, temporaryFolder } from '../../surfaces/cli/support/run-cli.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

export interface AgentsWorkspace {
  readonly cwd: string;
  readonly model: ScriptedModel;
  readonly env: Readonly<Record<string, string>>;
  keepsake(...args: string[]): Promise<Run>;
  /** With lines on stdin. */
  talk(agent: string, ...lines: string[]): Promise<Run>;
  start(...args: string[]): ReturnType<typeof startCli>;
  read(path: string): string;
  write(path: string, text: string): void;
}

export async function agentsWorkspace(script: Script, example?: string): Promise<AgentsWorkspace> {
  const cwd = temporaryFolder();
  if (example === undefined) writeFileSync(join(cwd, 'keepsake.jsonc'), '{}\n');
  else cpSync(join(EXAMPLES, example), cwd, { recursive: true });
  const model = await scriptedModel(script);
  onTestFinished(() => model.close());
  const env = {
    KEEPSAKE_MODELS_MAIN: 'compatible/scripted',
    KEEPSAKE_MODELS_BASE_URL: model.url,
    KEEPSAKE_MODELS_RETRIES: '0',
  };
  return {
    cwd,
    model,
    env,
    keepsake: (...args) => runCli(args, { cwd, env }),
    talk: (agent, ...lines) => runCli(['chat', agent], { cwd, env, stdin: `${lines.join('\n')}\n` }),
    start: (...args) => startCli(args, { cwd, env }),
    read: (path) => readFileSync(join(cwd, path), 'utf8'),
    write: (path, text) => {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    },
  };
}

export function textOf(content: ScriptedRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'toolResult' ? part.result : ''))
    .join('');
}

export function systemOf({ messages }: ScriptedRequest): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOf(content))
    .join('\n\n');
}

/** What the tools answered last; empty when the last word was not theirs. */
export function lastResult({ messages }: ScriptedRequest): string {
  const last = messages.at(-1);
  return last?.role === 'tool' ? textOf(last.content) : '';
}

/** Everything that was said, without the system messages. */
export function turnsOf({ messages }: ScriptedRequest): string[] {
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${textOf(content)}`);
}
