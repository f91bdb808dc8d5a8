/** Answers hooks on the socket of a running server with its open engine. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenedWorkspace } from '../../administration/same-workspace.ts';
import type { Engine } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import { toKeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import type { Sample } from '../mcp/sampling.ts';
import type { HookAnswer } from './hook.ts';
import { type HookSocket, openHookSocket } from './hook-socket.ts';
import { hookNamed, runHook } from './index.ts';
import { readHookInput } from './input.ts';
import { written } from './written.ts';

/** A longer question is not asked: bin/ask-server.cjs. */
const MOST_CHARACTERS = 9 * 1024 * 1024;
/** The hook writes its question at once. */
const QUESTION_MS = 5_000;

const question = z.object({
  /** Of the program that asks. */
  version: z.string(),
  event: z.string(),
  agent: z.string().optional(),
  workspace: z.string().optional(),
  perProject: z.boolean(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  /** What Claude Code wrote to stdin. */
  input: z.string(),
});

type Question = z.output<typeof question>;

/** A review in another process wants the model of the client; null only asks whether there is one. */
const sampleQuestion = z.object({
  version: z.string(),
  agent: z.string(),
  sample: z
    .object({
      prompt: z.string(),
      system: z.string().optional(),
      temperature: z.number().optional(),
      maxTokens: z.number().optional(),
    })
    .nullable(),
});

export interface HookServer {
  readonly engine: Engine;
  readonly opened: OpenedWorkspace;
  readonly version: string;
  /** The model of the client, if it offers one to this agent. */
  readonly sampler?: (agent: string) => Sample | undefined;
}

/** Never fails: without a socket, hooks do their work themselves. */
export function listenForHooks(server: HookServer): Promise<HookSocket | undefined> {
  const { engine } = server;
  const answers = new SocketAnswers(server);
  return openHookSocket({
    dataFolder: engine.paths.dataFolder,
    id: engine.ids('ses'),
    now: engine.clock.now(),
    converse: (socket) => answers.converse(socket),
  });
}

class SocketAnswers {
  readonly #server: HookServer;
  /** The last thing that was done for a conversation: the next hook sees what it left. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(server: HookServer) {
    this.#server = server;
  }

  async converse(socket: Socket): Promise<void> {
    const line: unknown = JSON.parse(await lineOf(socket));
    const wanted = sampleQuestion.safeParse(line);
    if (wanted.success) return this.#sample(socket, wanted.data);
    const asked = question.parse(line);
    const { engine, opened, version } = this.#server;
    const hook = hookNamed(asked.event);
    const meant = asked.version === version ? opened.meantBy(asked) : undefined;
    // What takes long would end with this server, which ends with the session.
    if (meant === undefined || hook.backgroundMs !== undefined) return say(socket, { refused: true });
    const input = readHookInput(asked.input);
    const isWanted = hook.concerns(input, { paths: engine.paths });
    await say(socket, { accepted: hook.budgetMs });
    if (!isWanted) return say(socket, { stdout: written(asked.event, {}) });
    await this.#inOrder(input.session_id ?? '', async () => {
      const identity = { agent: asked.agent, otherwise: meant.agent, env: asked.env };
      const run = runHook(hook, input, engine, identity);
      await this.#answer(socket, asked, run, hook.budgetMs);
    });
  }

  async #sample(socket: Socket, { version, agent, sample }: z.output<typeof sampleQuestion>): Promise<void> {
    const { engine, sampler, version: own } = this.#server;
    const isAllowed = version === own && engine.config.models.sampling;
    const ask = isAllowed ? sampler?.(agent) : undefined;
    if (ask === undefined) return say(socket, { refused: true });
    if (sample === null) return say(socket, { offers: true });
    const { prompt, ...rest } = sample;
    const gone = new AbortController();
    socket.on('close', () => gone.abort());
    try {
      await say(socket, { text: await ask({ prompt, ...defined(rest), signal: gone.signal }) });
    } catch (error) {
      await say(socket, { failed: toKeepsakeError(error).message });
    }
  }

  async #answer(socket: Socket, { event }: Question, run: Promise<HookAnswer>, budgetMs: number) {
    const enough = new AbortController();
    const late = pause(budgetMs, undefined, { signal: enough.signal, ref: false });
    const answered = await Promise.race([run, late]).finally(() => enough.abort());
    late.catch(() => {});
    // Whoever no longer waits was shown nothing.
    if (socket.destroyed) return;
    if (answered === undefined) {
      run.catch(() => {});
      const note = `${event} took longer than ${budgetMs} ms.`;
      return say(socket, { stdout: written(event, {}), note });
    }
    await say(socket, { stdout: written(event, answered.output) });
    socket.end();
    await answered.after?.();
  }

  async #inOrder(session: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(session) ?? Promise.resolve();
    const done = before.catch(() => {}).then(work);
    this.#last.set(session, done);
    try {
      await done;
    } finally {
      if (this.#last.get(session) === done) this.#last.delete(session);
    }
  }
}

function say(socket: Socket, message: object): Promise<void> {
  return new Promise((resolve) => {
    socket.write(`${JSON.stringify(message)}\n`, () => resolve());
  });
}

function lineOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(QUESTION_MS, () => socket.destroy());
    socket.on('close', () => reject(new Error('The hook asked nothing.')));
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > MOST_CHARACTERS) socket.destroy();
      const end = part.indexOf('\n');
      if (end < 0) return;
      socket.setTimeout(0);
      resolve(text.slice(0, text.length - part.length + end));
    });
  });
}
