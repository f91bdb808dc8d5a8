/** The middleware: recalls before a call of the model, saves the turn after its last one. For `generateText` and `streamText`. */
import type { LanguageModelMiddleware } from 'ai';
import { checkOptions, TURN_OPTIONS } from '../common/check-options.ts';
import { TurnMemory, type TurnOptions } from '../common/turn-memory.ts';
import { continues, inject, isInjected, marked, type PromptMessage, turnOf } from './prompt.ts';

type Wrapping = Required<Pick<LanguageModelMiddleware, 'wrapGenerate' | 'wrapStream' | 'transformParams'>>;
type Params = Parameters<Wrapping['transformParams']>[0]['params'];
type Streamed = Awaited<ReturnType<Wrapping['wrapStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;

export interface KeepsakeMiddleware extends Wrapping {
  readonly specificationVersion: 'v4';
  /** Resolves once all turns are saved; `waiting` counts those that memory refused so far. */
  settled(): Promise<{ readonly waiting: number }>;
}

/** For `wrapLanguageModel({ model, middleware })`, and beside other middleware. */
export function keepsakeMiddleware(options: TurnOptions = {}): KeepsakeMiddleware {
  checkOptions('keepsakeMiddleware', options, TURN_OPTIONS);
  const memory = new TurnMemory('keepsake/ai-sdk', options);
  /** Ids of the memories in each prompt, for the metadata of its answer. */
  const shown = new WeakMap<object, readonly string[]>();
  /** A prompt that another layer of memory has dealt with already: nothing twice. */
  const foreign = new WeakSet<object>();

  const metadata = (params: Params) => ({ keepsake: { memories: [...(shown.get(params) ?? [])] } });
  const save = (params: Params, answer: string): Promise<void> => {
    const { task } = turnOf(params.prompt as readonly PromptMessage[]);
    return memory.save([
      { role: 'user', text: task },
      { role: 'assistant', text: answer },
    ]);
  };

  return {
    specificationVersion: 'v4',
    settled: () => memory.settled(),
    transformParams: async ({ params }) => {
      if (isInjected(params)) {
        foreign.add(params);
        return params;
      }
      const { task, key } = turnOf(params.prompt as readonly PromptMessage[]);
      const recalled = await memory.recall(task, key);
      const changed = recalled === undefined ? marked(params) : inject(params, recalled.text);
      shown.set(changed, recalled?.ids ?? []);
      return changed;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      if (foreign.has(params)) return result;
      const saved = continues(result.content) ? undefined : save(params, answerOf(result.content));
      if (options.strict === true) await saved;
      return { ...result, providerMetadata: { ...result.providerMetadata, ...metadata(params) } };
    },
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      if (foreign.has(params)) return result;
      return { ...result, stream: result.stream.pipeThrough(tap(params)) };
    },
  };

  /** Passes every part on at once; what was said is put together on the side. */
  function tap(params: Params): TransformStream<StreamPart, StreamPart> {
    const texts = new Map<string, string>();
    const calls: { type: string; providerExecuted?: boolean | undefined }[] = [];
    let isFinished = false;
    return new TransformStream({
      transform(part, controller) {
        if (part.type === 'text-delta') texts.set(part.id, (texts.get(part.id) ?? '') + part.delta);
        else if (part.type === 'tool-call') calls.push(part);
        if (part.type !== 'finish') {
          controller.enqueue(part);
          return;
        }
        isFinished = true;
        controller.enqueue({ ...part, providerMetadata: { ...part.providerMetadata, ...metadata(params) } });
      },
      async flush() {
        // A stream that broke off is not an answer.
        if (!isFinished || continues(calls)) return;
        const saved = save(params, [...texts.values()].join('\n'));
        if (options.strict === true) await saved;
      },
    });
  }
}

function answerOf(content: readonly { readonly type: string }[]): string {
  return content
    .filter((part): part is { type: 'text'; text: string } => part.type === 'text')
    .map(({ text }) => text)
    .join('\n');
}
