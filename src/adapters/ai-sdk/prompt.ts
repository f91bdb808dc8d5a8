/** The shape of AI SDK prompts that versions 2, 3 and 4 of the provider specification share. */

export interface PromptPart {
  readonly type: string;
  readonly text?: string;
}

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly PromptPart[];
}

/** Marks a call that memory was injected into; survives a copy by another middleware, and no provider sees it. */
const INJECTED = Symbol.for('keepsake.injected');

export function isInjected(params: object): boolean {
  return INJECTED in params;
}

export function textOf(content: PromptMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .filter(({ type }) => type === 'text')
    .map(({ text = '' }) => text)
    .join('\n');
}

export interface Turn {
  /** What the user said last; empty when nobody said anything. */
  readonly task: string;
  /** The same for every step of a tool loop, another one for the next turn. */
  readonly key: string;
}

export function turnOf(prompt: readonly PromptMessage[]): Turn {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  const task = last < 0 ? '' : textOf(prompt[last]!.content);
  const opening = prompt.find(({ role }) => role === 'user');
  return { task, key: JSON.stringify([last, opening === undefined ? '' : textOf(opening.content), task]) };
}

/** After the system messages that are there: what came before stays the same, and with it what a provider has cached. */
export function inject<Params extends { readonly prompt: readonly unknown[] }>(
  params: Params,
  text: string,
): Params {
  const prompt = params.prompt as readonly PromptMessage[];
  const firstOther = prompt.findIndex(({ role }) => role !== 'system');
  const at = firstOther < 0 ? prompt.length : firstOther;
  const memory: PromptMessage = { role: 'system', content: text };
  return { ...params, [INJECTED]: true, prompt: [...prompt.slice(0, at), memory, ...prompt.slice(at)] };
}

/** Marks a call into which there was nothing to inject. */
export function marked<Params extends object>(params: Params): Params {
  return { ...params, [INJECTED]: true };
}

/** A call of a tool that the program has to run, after which the model is asked again; the turn is not over. */
export function continues(
  content: readonly { readonly type: string; readonly providerExecuted?: boolean | undefined }[],
): boolean {
  return content.some(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true);
}
