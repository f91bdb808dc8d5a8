/** The run loop: ask the model, run the tools that it asks for, and again, until it has an answer. */
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
}

interface Step {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
}

async function* ask(parts: LoopParts, loop: number, tools: readonly Tool[]): AsyncGenerator<RunEvent, Step> {
  const { model, context, temperature } = parts;
  let text = '';
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  const calls: ToolCall[] = [];
  const messages = await untilStopped(parts.prompt(loop), context.signal);
  for await (const event of model.chat({
    messages,
    signal: context.signal,
    ...(tools.length === 0 ? {} : { tools: tools.map(specOf) }),
    ...(temperature === undefined ? {} : { temperature }),
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
  return { text, calls, usage };
}

async function* runTools(
  { tools, transcript, context }: LoopParts,
  calls: readonly ToolCall[],
): AsyncGenerator<RunEvent> {
  const results: ToolResult[] = [];
  try {
    for (const call of calls) {
      yield { type: 'tool', name: call.name, arguments: call.arguments };
      const result = await runTool(tools, call, context);
      results.push(result);
      yield { type: 'toolResult', name: call.name, result: result.result, isError: result.isError === true };
    }
  } finally {
    // Also when the run was stopped: models refuse a conversation in which a call has no answer.
    const left = calls.slice(results.length).map(stoppedResult);
    await transcript.add('Tool', answered([...results, ...left]));
  }
}

/** The task is in the transcript already; every step goes there before the next one begins. */
export async function* runLoop(parts: LoopParts): AsyncGenerator<RunEvent> {
  const { transcript, context, maxLoops } = parts;
  const most = maxLoops === 'auto' ? MOST_LOOPS : maxLoops;
  const usage = { inputTokens: 0, outputTokens: 0 };
  for (let loop = 1; ; loop++) {
    // Whoever still asks for tools when no loop is left is asked once more, without any, for what it has.
    const last = loop > most;
    const { text, calls, usage: spent } = yield* ask(parts, loop, last ? [] : parts.tools);
    usage.inputTokens += spent.inputTokens;
    usage.outputTokens += spent.outputTokens;
    await transcript.add(transcript.speaker, spoken(text, last ? [] : calls));
    if (last || calls.length === 0) {
      yield { type: 'done', answer: { text, loops: loop, usage, session: context.session } };
      return;
    }
    yield* runTools(parts, calls);
  }
}
