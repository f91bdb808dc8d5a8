/** Runs the commands of the reference in a new workspace and returns what each prints. They share one process, because starting is slow. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedModel } from '../../src/testing/index.ts';
import { STEPS } from './steps.ts';

export interface Shown {
  /** The command without its arguments, for example `keepsake memory add`. */
  readonly command: string;
  /** The line as it is typed. */
  readonly line: string;
  readonly code: number;
  readonly output: string;
}

const PROGRAM = join(import.meta.dirname, 'session-program.ts');
const FILES: Readonly<Record<string, string>> = {
  'docs/keys.md':
    '# Keys\n\n## Rotation\n\nRotate the signing key every ninety days. The old key stays valid for one week.\n',
  'agents/assistant/notes/auth.md': '# Auth\n\nThe proxy strips the bearer token.\n',
  'agents/assistant.md':
    '---\nmodel: openai/gpt-5-mini\nmemory: true\npersistentMemory: true\n---\nYou help with planning.\n',
  'agents/scout.md': '---\nmodel: openai/gpt-5-mini\n---\nYou look for facts.\n',
  'agents/editor.md': '---\nmodel: openai/gpt-5-mini\n---\nYou combine findings.\n',
  'cases.jsonl': '{"query": "when does the deploy key rotate?", "expect": ["every March"]}\n',
  'keepsake.jsonc':
    '{\n  "name": "assistant",\n  "swarms": { "market": { "agents": ["scout"], "lead": "editor", "budget": 1 } }\n}\n',
};

/** A key in a page looks like one that leaked. */
const SECRET = /ksk_([0-9a-f]{12})_[\w-]+/g;

/** `folder` is new and empty. */
export async function runSession(folder: string): Promise<Shown[]> {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, name, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  mkdirSync(join(folder, '.home'), { recursive: true });
  const usage = { inputTokens: 210, outputTokens: 4 };
  const model = await scriptedModel(() => ({ text: 'On Friday.', usage }));
  const env = {
    ...{ PATH: process.env.PATH, HOME: join(folder, '.home'), TZ: 'UTC', LANG: 'C.UTF-8', NO_COLOR: '1' },
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'not-a-real-one' },
  };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(STEPS)], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  await model.close();
  const results = stdout.split('\n').filter((line) => line.startsWith('{"line"'));
  if (results.length !== STEPS.length) {
    throw new Error(`The session stopped after ${results.length} commands: ${stderr}${stdout.slice(-500)}`);
  }
  return results
    .map((line) => JSON.parse(line) as Omit<Shown, 'command'>)
    .filter((_, i) => STEPS[i]!.isHidden !== true)
    .map(({ line, code, output }) => ({
      ...{ command: commandOf(line), line, code },
      output: output
        .replaceAll(folder, '/home/me/project')
        .replaceAll(model.url, '')
        .replaceAll(SECRET, 'ksk_$1_…')
        .trimEnd(),
    }));
}

const WITH_PARTS =
  /^keepsake (?:memory|knowledge|notes|log|archive|sections|items|keys|models|guard|swarm|config set|erase verify)\b/;

function commandOf(line: string): string {
  const words = line.split(' ');
  return words.slice(0, WITH_PARTS.test(line) ? 3 : 2).join(' ');
}
