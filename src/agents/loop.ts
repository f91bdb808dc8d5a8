/** The run loop: ask the model, run the tools that it asks for, and again, until it has an answer. */
import { defined } from '../kernel/defined.ts';
import type { ChatMessage, ChatModel, Usage } from '../ports/language-model.ts';
import { answered, spoken } from './chat-messages.ts';
import type { RunEvent } from './run-events.ts';
import { specOf, type Tool, type ToolContext } from './tool.ts';
import { runTool, stoppedResult, type ToolCall, type ToolResult } from './tool-runner.ts';
import type { Transcript } from './transcript.ts';
import { untilStopped } from './until-stopped.ts';

/** A run that has not ended by then goes in circles. */
const MOST_LOOPS = 50;

export interface LoopParts {
  readonly model: ChatModel;
  readonly tools: readonly Tool[];
  readonly transcript: Transcript;
  readonly maxLoops: number | 'auto';
  readonly context: ToolContext;
  readonly temperature?: number | undefined;
  /** At the top of each loop: makes room if needed, and puts the prompt together anew. */
  prompt(loop: number): Promise<readonly ChatMessage[]>;
  /** What the model has cost so far, in dollars; null when nobody knows. */
  spent(): number | null;
  /** Resolves when the receipt of the last prompt is kept, which need not keep the model waiting. */
  receiptKept(): Promise<void>;
}

interface Step {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
}

/** What the model may do with its tools: use them, only know of them, or not even that. */
type ToolUse = 'free' | 'none' | 'untold';

async function* ask(parts: LoopParts, loop: number, use: ToolUse): AsyncGenerator<RunEvent, Step> {
  const { model, tools, context, temperature } = parts;
  let text = '';
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  const calls: ToolCall[] = [];
  const messages = await untilStopped(parts.prompt(loop), context.signal);
  for await (const event of model.chat({
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
  await parts.receiptKept();
  return { text, calls, usage };
}

/** Calls that may run side by side: reads that follow each other. Whatever changes something goes alone, in its place. */
function batches({ tools }: LoopParts, calls: readonly ToolCall[]): ToolCall[][] {
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

async function* runTools(parts: LoopParts, calls: readonly ToolCall[]): AsyncGenerator<RunEvent> {
  const { tools, transcript, context } = parts;
  const results = new Map<ToolCall, ToolResult>();
  try {
    for (const batch of batches(parts, calls)) {
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

/** The task is in the transcript already; every step goes there before the next one begins. */
export async function* runLoop(parts: LoopParts): AsyncGenerator<RunEvent> {
  const { transcript, context, maxLoops } = parts;
  const most = maxLoops === 'auto' ? MOST_LOOPS : maxLoops;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const before = parts.spent();
  for (let loop = 1; ; loop++) {
    // Whoever still asks for tools when no loop is left must say what it has; a server that does not know how to
    // forbid tools is asked once more, and told of none.
    const use = loop <= most ? 'free' : loop === most + 1 ? 'none' : 'untold';
    const { text, calls, usage: spent } = yield* ask(parts, loop, use);
    usage.inputTokens += spent.inputTokens;
    usage.outputTokens += spent.outputTokens;
    if (use === 'none' && text === '' && calls.length > 0) continue;
    await transcript.add(transcript.speaker, spoken(text, use === 'free' ? calls : []));
    if (use !== 'free' || calls.length === 0) {
      const after = parts.spent();
      const cost = before === null || after === null ? null : after - before;
      yield { type: 'done', answer: { text, loops: loop, usage, cost, session: context.session } };
      return;
    }
    yield* runTools(parts, calls);
  }
}
