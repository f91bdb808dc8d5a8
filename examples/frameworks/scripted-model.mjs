// Models that answer one sentence, so that the examples run without a key. Use the model of your provider instead.
import { MockLanguageModelV4 } from 'ai/test';

/** For the AI SDK and Mastra. `model.prompts()` is what it was asked. */
export function scriptedModel(text) {
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });
  return Object.assign(model, {
    prompts: () =>
      JSON.stringify([...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt)),
  });
}
