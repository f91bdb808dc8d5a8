/** A language model that answers what it is told to and remembers what it was asked. */
import type { GenerateRequest, LanguageModel } from '../../../src/ports/language-model.ts';

export interface ScriptedModel extends LanguageModel {
  readonly requests: GenerateRequest[];
}

/** Answers one after the other, the last one again and again; an error is thrown. */
export function scriptedModel(
  answers: string | readonly (string | Error)[],
  id = 'test/summarizer',
): ScriptedModel {
  const script = typeof answers === 'string' ? [answers] : answers;
  const requests: GenerateRequest[] = [];
  return {
    id,
    requests,
    generate: async (request) => {
      requests.push(request);
      const answer = script[Math.min(requests.length, script.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return { text: answer };
    },
  };
}
