/** The program that the children of the conversation tests run: `node conversation-child.ts <task> <options as JSON>`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentOptions, type Conversation, createClient } from '../../../src/index.ts';
import { failureOf, report } from './report.ts';

export interface ChildOptions {
  readonly workspace: string;
  readonly agent: string;
  readonly settings?: Partial<AgentOptions>;
  /** Begins every message of a writer. */
  readonly prefix?: string;
  /** How many messages a writer adds; without it, until it is killed. */
  readonly count?: number;
  /** What is said, as role and text. */
  readonly lines?: readonly (readonly [string, string])[];
  readonly summary?: string;
}

async function withMemory<T>(options: ChildOptions, work: (memory: Conversation) => Promise<T>): Promise<T> {
  const client = createClient({ workspace: options.workspace });
  try {
    return await work(await client.agent({ name: options.agent, ...options.settings }).shortMemory);
  } finally {
    await client.close();
  }
}

const TASKS = {
  /** Says the lines, then shows what a prompt would hold. */
  talk: (options: ChildOptions) =>
    withMemory(options, async (memory) => {
      for (const [role, text] of options.lines ?? []) await memory.add(role, text);
      if (options.summary !== undefined) await memory.compact({ summary: options.summary });
      const lines = (messages: readonly { role: string; content: unknown }[]) =>
        messages.map(({ role, content }) => `${role}: ${String(content)}`);
      report({
        messages: lines(await memory.messages()),
        turns: lines(await memory.turns()),
        run: memory.run,
      });
    }),

  /** Adds one message after the other and reports each once it is acknowledged. */
  write: (options: ChildOptions) =>
    withMemory(options, async (memory) => {
      report({ ready: true });
      for (let i = 0; i < (options.count ?? Number.POSITIVE_INFINITY); i++) {
        const text = `${options.prefix}-${String(i).padStart(5, '0')} ${'x'.repeat((i % 7) * 900)}`;
        await memory.add('User', text);
        report({ added: text });
      }
    }),

  /** Compacts again and again, each time as a new conversation that knows what the others said. */
  compact: async (options: ChildOptions) => {
    const client = createClient({ workspace: options.workspace });
    for (let i = 0; ; i++) {
      const memory = await client.agent({ name: options.agent }).shortMemory;
      await memory.compact({ summary: `Summary ${options.prefix}-${i}.` });
      report({ compacted: i });
    }
  },

  /** Fills the small disk that the workspace is on, and tries to go on. */
  full: async (options: ChildOptions) => {
    const filler = join(options.workspace, 'filler');
    const attempt = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => failureOf(error).code,
      );
    await withMemory(options, async (memory) => {
      const added: string[] = [];
      const add = async (text: string) => {
        const outcome = await attempt(memory.add('User', text));
        if (outcome === 'done') added.push(text);
        return outcome;
      };
      for (let i = 0; i < 5; i++) await add(`before ${i}`);
      fill(filler);
      const whileFull = [
        await add('x'.repeat(100_000)),
        await attempt(memory.compact({ summary: 'Five messages.' })),
      ];
      const turns = (await memory.turns()).length;
      writeFileSync(filler, '');
      const afterwards = [await add('after'), await attempt(memory.compact({ summary: 'Six messages.' }))];
      report({ whileFull, turns, afterwards, added });
    });
  },

  /** Under a limit on file sizes: a write is cut short by the kernel. */
  limited: async (options: ChildOptions) =>
    withMemory(options, async (memory) => {
      const outcomes: string[] = [];
      for (const text of ['small', 'y'.repeat(options.count!), 'small again']) {
        outcomes.push(
          await memory.add('User', text).then(
            () => 'done',
            (error: unknown) => failureOf(error).code,
          ),
        );
      }
      report({ outcomes, turns: (await memory.turns()).map(({ content }) => content) });
    }),
};

export type ChildTask = keyof typeof TASKS;

/** Byte by byte in the end, so that not even a small file fits any more. */
function fill(file: string): void {
  let size = 0;
  for (let step = 1 << 20; step >= 1; step = step >> 1) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(size + step));
        size += step;
      } catch {
        break;
      }
    }
  }
  try {
    writeFileSync(file, Buffer.alloc(size));
  } catch {
    // It is full, one way or the other.
  }
}

if (import.meta.main) {
  const [task, options] = process.argv.slice(2);
  await TASKS[task as ChildTask](JSON.parse(options!) as ChildOptions);
}
