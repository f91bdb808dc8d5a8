/** A real store, a model that says what it is told to, and a session to review. */

import type { ClientOptions } from '../../src/index.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import { type LearnInput, learn } from '../../src/learning/index.ts';
import type { ChatMessage, GenerateRequest, LanguageModel } from '../../src/ports/language-model.ts';
import { testAgent } from '../fixtures/workspace.ts';

export interface ScriptedModel extends LanguageModel {
  readonly requests: GenerateRequest[];
}

/** Text as it is, anything else as JSON; a function is asked, an error thrown. */
export type Answer = string | object | Error | ((request: GenerateRequest) => Promise<string>);

/** Answers one after the other, the last one again and again. */
export function scripted(...answers: readonly Answer[]): ScriptedModel {
  const requests: GenerateRequest[] = [];
  return {
    id: 'test/light',
    requests,
    generate: async (request) => {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1]!;
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'function') return { text: await answer(request) };
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { text, usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export const user = (content: string): ChatMessage => ({ role: 'user', content });
export const agent = (content: string): ChatMessage => ({ role: 'assistant', content });
export const tool = (result: string): ChatMessage => ({
  role: 'tool',
  content: [{ type: 'toolResult', id: '1', name: 'look', result }],
});

/** Long enough to be reviewed. */
export const SESSION: readonly ChatMessage[] = [
  user('My stack is Python 3.12 and I prefer concise replies. Always open pull requests against develop.'),
  agent('Understood.'),
  user('Alice is on the platform team and reports to Bob.'),
  agent('Good to know.'),
];

export const add = (content: string, more: object = {}) => ({
  op: 'add',
  category: 'fact',
  content,
  confidence: 0.9,
  from: 'user',
  ...more,
});

export async function school(options: ClientOptions = {}) {
  const { client, memory, clock, ...rest } = testAgent({
    config: { models: { embedding: 'none' } },
    ...options,
  });
  const { records, storage, hub } = await client.open();
  const caller: Caller = { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' };
  const parts = {
    ...{ records, caller, clock },
    emit: async (event: Parameters<LearnInput['emit']>[0]) =>
      hub.publish(await storage.events.append([event])),
  };
  return {
    ...{ client, memory, clock, records, caller, parts, ...rest },
    learn: (model: LanguageModel, input: Partial<LearnInput> = {}) =>
      learn({ session: 'ses_1', messages: SESSION, model, ...parts, ...input }),
    contents: async () => (await memory.list({ limit: 1_000 })).map(({ content }) => content).sort(),
    extracted: () => client.events.read({ types: ['memory.extracted'] }),
  };
}
