/** Pages about frameworks: a mock model of the AI SDK answers, everything else is real. */
import type { Page, Pages } from '../../../docs/support/page.ts';

/** What the pages call `model`, saying one sentence whenever it is asked. */
const model = (text: string, type: string): NonNullable<Page['assumed']> => ({
  types: `declare const model: ${type};`,
  values: `const { MockLanguageModelV4: Mock } = await import('ai/test');
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const model = new Mock({
  doGenerate: {
    content: [{ type: 'text', text: ${JSON.stringify(text)} }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  },
}) as any;`,
});

export const FRAMEWORKS: Pages = {
  'docs/guides/frameworks/ai-sdk.md': {
    assumed: model('Bring popcorn.', "import('ai/test').MockLanguageModelV4"),
  },
  'docs/guides/frameworks/mastra.md': { assumed: model('In Lisbon.', 'any') },
  'docs/guides/frameworks/mem0.md': {},
};
