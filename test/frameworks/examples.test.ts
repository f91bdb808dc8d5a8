/** Runs every program of examples/frameworks as a user would: the built package, the real framework, a workspace of its own. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/setup/build.mjs';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples/frameworks');
/** What each program prints. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  adk: ['My train to Porto leaves on Friday.', 'Found for somebody else: 0'],
  'ai-sdk': ['Bring popcorn.', 'The model was told: true', 'Messages saved: 2'],
  anthropic: ["Here's the content of /memories/plans.md with line numbers:", '     1\tLisbon in May'],
  'claude-agent-sdk': ['The prompt gets: true', 'The transcript is as the SDK keeps it: true'],
  cloudflare: ['- Ada eats fish again.', 'Found: true'],
  genkit: ['Cups: 2', 'Cups: 2'],
  langgraph: ['Ada never eats meat.', 'The state of the thread: Ada never eats meat.'],
  llamaindex: ['The prompt has it: true'],
  mastra: ['In Lisbon.', 'The model was told: true', 'Messages saved: 2'],
  mem0: ['My dog is called Bell.'],
  'openai-agents': ['It arrives tomorrow.', 'Items of the session: 4'],
  strands: ['Ada plays the cello.'],
};

let app: string;

beforeAll(() => {
  ensureBuilt();
  app = mkdtempSync(join(tmpdir(), 'keepsake-examples-'));
  cpSync(examples, app, { recursive: true });
  const modules = join(app, 'node_modules');
  for (const name of packagesOf(examples)) {
    const found = [join(import.meta.dirname, 'node_modules', name), join(root, 'node_modules', name)];
    const target = name === 'keepsake' ? root : found.find((each) => existsSync(each));
    expect(target, `${name} is not installed`).toBeDefined();
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(target!, join(modules, name));
  }
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

function packagesOf(folder: string): Set<string> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g),
    ])
    .map(([, name]) => name!);
  return new Set(names);
}

it('there is a program for every adapter', () => {
  const adapters = readdirSync(join(root, 'src/adapters')).filter((name) => name !== 'common');
  const programs = readdirSync(examples).filter(
    (name) => name.endsWith('.mjs') && name !== 'scripted-model.mjs',
  );
  expect(programs.sort()).toEqual(adapters.map((name) => `${name}.mjs`).sort());
  expect(Object.keys(PRINTED).sort()).toEqual(adapters.sort());
});

it.each(Object.keys(PRINTED))('examples/frameworks/%s.mjs works, also a second time', (name) => {
  const home = mkdtempSync(join(app, 'home-'));
  const once = () =>
    spawnSync(process.execPath, [`${name}.mjs`], {
      ...{ cwd: app, encoding: 'utf8' },
      env: { PATH: process.env.PATH, HOME: home },
    });
  const { status, stdout, stderr } = once();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n')).toEqual(PRINTED[name]);
  expect(once().status).toBe(0);
});
