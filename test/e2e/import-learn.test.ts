/** `keepsake import --learn` as a person uses it: the budget first, Ctrl-C and kill -9 in the middle, and the command that continues. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ForeignReport } from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/index.ts';
import {
  json,
  runCli,
  runOnTerminal,
  startCli,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';
import { chatExport } from '../users/support/chat-export.ts';

const CHATS = 6;
const WHOSE = ['--agent', 'support', '--user', 'dana@example.com'];
const LEARN = ['import', 'chats.json', ...WHOSE, '--learn', '--model', 'openai/gpt-5-mini'];

const chats = Array.from({ length: CHATS }, (_, i) => ({
  ...{ uuid: `c-${i}`, name: 'Plumber', created_at: '2025-03-01T10:00:00Z' },
  chat_messages: ['human', 'assistant', 'human', 'assistant'].map((sender, turn) => ({
    ...{ uuid: `m-${turn}`, sender, created_at: '2025-03-01T10:00:01Z' },
    text: turn === 0 ? `My plumber is called quokka${i}.` : `Turn ${turn}.`,
  })),
}));

/** Answers each review with one fact, and stands still where it is told to. */
async function setting(standsStillAt: { call: number } = { call: 0 }) {
  const cwd = temporaryWorkspace();
  writeFileSync(join(cwd, 'chats.json'), JSON.stringify(chats));
  let reached = Promise.withResolvers<void>();
  const model = await scriptedModel((request, index) => {
    if (index + 1 === standsStillAt.call) {
      reached.resolve();
      return { hang: true };
    }
    const [name] = /quokka\d/.exec(request.prompt.slice(request.prompt.indexOf('<transcript>')))!;
    const content = `My plumber is called ${name}.`;
    return {
      json: { operations: [{ op: 'add', category: 'fact', content, confidence: 0.9, from: 'user' }] },
    };
  });
  onTestFinished(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'not-a-real-one', KEEPSAKE_MODELS_RETRIES: '0' };
  return {
    ...{ cwd, env, model },
    reached: () => reached.promise.then(() => (reached = Promise.withResolvers<void>())),
    run: (...args: string[]) => runCli(args, { cwd, env }),
    memories: async () => (await json<object[]>(['memory', 'list', ...WHOSE], { cwd })).length,
  };
}

it('states the budget, asks, and says how much was learned', async () => {
  const { cwd, env, model, run, memories } = await setting();
  const planned = await run(...LEARN, '--dry-run');
  expect(planned.stdout).toMatch(
    /Review by openai\/gpt-5-mini: 6 calls, about [\d,]+ tokens read and 3,600 written, \$0\.0\d+\./,
  );
  const refused = await run(...LEARN);
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--yes was not given')]);
  const { screen, code } = await runOnTerminal(LEARN, { cwd, env, answer: 'n\n', columns: 120 });
  expect([code, screen]).toEqual([130, expect.stringMatching(/6 calls.*Review 6 chats now\?/s)]);
  expect(model.requests).toEqual([]);

  const first = await run(...LEARN, '--yes', '--max-calls', '2');
  expect(first.stdout).toContain('learned   2 memories from 2 chats');
  const again = /continue with the other 4 chats:\n\s+keepsake (.*)/.exec(first.stdout)![1]!;
  expect(again).toBe(
    'import chats.json --agent support --user dana@example.com --model openai/gpt-5-mini --max-calls 2 --learn',
  );
  const rest = await json<ForeignReport>([...LEARN, '--yes'], { cwd, env });
  expect(rest.learned).toMatchObject({ reviewed: 4, memories: 4, left: 0, plan: { reviewed: 2 } });
  expect(await memories()).toBe(CHATS);
  expect(model.requests).toHaveLength(CHATS);
});

it('Ctrl-C ends with the command that continues, kill -9 with nothing lost, and nothing is asked or stored twice', async () => {
  const still = { call: 3 };
  const { cwd, env, model, reached, run, memories } = await setting(still);
  const interrupt = async (signal: NodeJS.Signals) => {
    const child = startCli([...LEARN, '--yes'], { cwd, env });
    let said = '';
    child.stderr!.on('data', (part) => (said += String(part)));
    child.stdin!.end();
    await reached();
    const gone = once(child, 'close');
    child.kill(signal);
    const [code, by] = await gone;
    return { code, by, said };
  };
  const stopped = await interrupt('SIGINT');
  expect(stopped.code).toBe(130);
  expect(stopped.said).toContain('Learning was stopped after 2 of 6 chats. What was learned is stored.');
  expect(stopped.said).toContain('To continue: keepsake import chats.json --agent support');
  expect(await memories()).toBe(2);

  still.call = 5;
  expect(await interrupt('SIGKILL')).toMatchObject({ by: 'SIGKILL' });
  expect(await memories()).toBe(3);

  still.call = 0;
  expect((await run(...LEARN, '--yes')).stdout).toContain('learned   3 memories from 3 chats');
  expect(await memories()).toBe(CHATS);
  // Two of the eight calls never answered.
  expect(model.requests).toHaveLength(CHATS + 2);
  expect((await run(...LEARN, '--yes')).stdout).toContain('nothing new: 6 chats reviewed before');
});

it('an import that is killed over and over is complete in the end, with nothing twice', async () => {
  const cwd = temporaryWorkspace();
  const given = chatExport(400);
  writeFileSync(join(cwd, 'conversations.json'), JSON.stringify(given));
  const args = ['import', 'conversations.json', ...WHOSE];
  const whole = await json<ForeignReport>(args, { cwd: sameFile(given) });
  let killed = 0;
  for (let wait = 500; killed < 4 && wait < 6_000; wait += 700) {
    const child = startCli(args, { cwd });
    const timer = setTimeout(() => child.kill('SIGKILL'), wait);
    const [, by] = await once(child, 'close');
    clearTimeout(timer);
    if (by === 'SIGKILL') killed++;
    else break;
  }
  expect(killed).toBeGreaterThan(0);
  const rest = await json<ForeignReport>(args, { cwd });
  expect(rest.messages.added + rest.messages.known).toBe(whole.messages.added);
  const threads = await json<{ messages: number; archivedAt: number | null }[]>(['log', 'list', ...WHOSE], {
    cwd,
  });
  expect(threads.reduce((sum, { messages }) => sum + messages, 0)).toBe(whole.messages.added);
  expect(threads.every(({ archivedAt }) => archivedAt !== null)).toBe(true);
  expect(await json<ForeignReport>(args, { cwd })).toMatchObject({
    messages: { added: 0 },
    threads: { added: 0 },
  });
});

function sameFile(given: unknown): string {
  const cwd = temporaryWorkspace();
  writeFileSync(join(cwd, 'conversations.json'), JSON.stringify(given));
  return cwd;
}
