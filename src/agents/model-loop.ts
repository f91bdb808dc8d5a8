/** The run loop: calls the model and its tools until there is an answer. */
import { defined } from '../kernel/defined.ts';
import type { Usage } from '../ports/language-model.ts';
import type { Models } from '../ports/model-meter.ts';
import { answered, spoken } from './chat-messages.ts';
import type { PromptSource } from './prompt-source.ts';
import type { RunEvent } from './run-events.ts';
import { specOf, type Tool, type ToolContext } from './tool.ts';
import { runTool, stoppedResult, type ToolCall, type ToolResult } from './tool-runner.ts';
import type { Transcript } from './transcript.ts';
import { untilStopped } from './until-stopped.ts';

/** A run that has not ended by then goes in circles. */
const MOST_LOOPS = 50;

/** Stands below an answer that was stopped while it was being written. */
export const STOPPED_MARK = '[The answer was stopped here.]';

export interface ModelLoopParts {
  readonly models: Pick<Models, 'main' | 'meter'>;
  readonly prompts: PromptSource;
  readonly transcript: Transcript;
  readonly tools: readonly Tool[];
  readonly maxLoops: number | 'auto';
  readonly temperature?: number | undefined;
  readonly context: ToolContext;
}

interface Step {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
}

/** What the model may do with its tools: use them, only know of them, or not even that. */
type ToolUse = 'free' | 'none' | 'untold';

export class ModelLoop {
  readonly #parts: ModelLoopParts;

  constructor(parts: ModelLoopParts) {
    this.#parts = parts;
  }

  /** The task is in the transcript already; every step goes there before the next one begins. */
  async *run(): AsyncGenerator<RunEvent> {
    const { transcript, context, maxLoops } = this.#parts;
    const most = maxLoops === 'auto' ? MOST_LOOPS : maxLoops;
    const usage = { inputTokens: 0, outputTokens: 0 };
    const before = this.#spent;
    for (let loop = 1; ; loop++) {
      // A model that still asks for tools when no loop is left must answer with what it has; a server that does not
      // know how to forbid tools is asked once more without any.
      const use = loop <= most ? 'free' : loop === most + 1 ? 'none' : 'untold';
      const { text, calls, usage: spent } = yield* this.#ask(loop, use);
      usage.inputTokens += spent.inputTokens;
      usage.outputTokens += spent.outputTokens;
      if (use === 'none' && text === '' && calls.length > 0) continue;
      await transcript.add(transcript.speaker, spoken(text, use === 'free' ? calls : []));
      if (use !== 'free' || calls.length === 0) {
        const after = this.#spent;
        const cost = before === null || after === null ? null : after - before;
        yield { type: 'done', answer: { text, loops: loop, usage, cost, session: context.session } };
        return;
      }
      yield* this.#runTools(calls);
    }
  }

  async *#ask(loop: number, use: ToolUse): AsyncGenerator<RunEvent, Step> {
    const { models, prompts, tools, context, temperature } = this.#parts;
    let text = '';
    let usage: Usage = { inputTokens: 0, outputTokens: 0 };
    const calls: ToolCall[] = [];
    const messages = await untilStopped(prompts.next(loop), context.signal);
    // Also when nobody listens any more, which ends a generator without an error.
    let isStopped = true;
    try {
      for await (const event of models.main.chat({
        messages,
        signal: context.signal,
        ...(tools.length === 0 || use === 'untold' ? {} : { tools: tools.map(specOf) }),
        ...(use === 'none' ? { toolChoice: 'none' } : {}),
        ...defined({ temperature }),
      })) {
        if (event.type === 'text') {
          text += event.text;
          yield { type: 'text', text: event.text };
        } else if (event.type === 'toolCall') {
          calls.push(event);
        } else {
          usage = event.usage;
        }
      }
      isStopped = false;
    } catch (error) {
      isStopped = context.signal.aborted;
      throw error;
    } finally {
      if (isStopped) await this.#keepPartial(text);
    }
    await prompts.settled();
    return { text, calls, usage };
  }

  /** The user has read it, so the next prompt may refer to it. The mark tells model and readers that it is not whole. */
  async #keepPartial(text: string): Promise<void> {
    const { transcript } = this.#parts;
    if (text.trim() === '') return;
    await transcript.add(transcript.speaker, `${text.trimEnd()}\n\n${STOPPED_MARK}`, { stopped: true });
  }

  async *#runTools(calls: readonly ToolCall[]): AsyncGenerator<RunEvent> {
    const { tools, transcript, context } = this.#parts;
    const results = new Map<ToolCall, ToolResult>();
    try {
      for (const batch of batches(tools, calls)) {
        for (const { name, arguments: given } of batch) yield { type: 'tool', name, arguments: given };
        const running = batch.map(async (call) => {
          results.set(call, await runTool(tools, call, context));
        });
        // All of them, also when one was stopped: what the others answered is kept.
        const failed = (await Promise.allSettled(running)).find(({ status }) => status === 'rejected');
        if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
        for (const call of batch) {
          const { name, result, isError = false } = results.get(call)!;
          yield { type: 'toolResult', name, result, isError };
        }
      }
    } finally {
      // Also when the run was stopped: models refuse a conversation in which a call has no answer.
      await transcript.add('Tool', answered(calls.map((call) => results.get(call) ?? stoppedResult(call))));
    }
  }

  /** What the model has cost so far, in dollars; null when nobody knows. */
  get #spent(): number | null {
    return this.#parts.models.meter.byRole().main.cost;
  }
}

/** Calls that may run side by side: reads that follow each other. A call that changes something runs alone, in order. */
function batches(tools: readonly Tool[], calls: readonly ToolCall[]): ToolCall[][] {
  const isRead = ({ name, arguments: given }: ToolCall): boolean => {
    const readOnly = tools.find((tool) => tool.name === name)?.readOnly ?? false;
    return typeof readOnly === 'function' ? readOnly(given) : readOnly;
  };
  const found: ToolCall[][] = [];
  for (const call of calls) {
    const last = found.at(-1);
    if (last !== undefined && isRead(call) && last.every(isRead)) last.push(call);
    else found.push([call]);
  }
  return found;
}
