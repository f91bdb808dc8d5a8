/** Context windows of known models; for others, the configuration or a careful default. */

/** First match wins, so the narrower pattern stands first. Provider prefixes ("openai/…") are ignored. */
const KNOWN: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^(gpt-4o|gpt-4-turbo|chatgpt-4o)/, 128_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^o[134](-|$)/, 200_000],
  [/^claude/, 200_000],
  [/^gemini-1\.5-pro/, 2_097_152],
  [/^gemini/, 1_048_576],
  [/^deepseek/, 128_000],
  [/^(llama-?3\.[1-9]|llama-?4)/, 131_072],
  [/^llama-?3/, 8_192],
  [/^(mistral|mixtral|codestral|ministral)/, 131_072],
  [/^qwen/, 131_072],
  [/^command-r/, 128_000],
  [/^grok/, 131_072],
];

export const DEFAULT_CONTEXT_LENGTH = 128_000;

export interface ContextLength {
  readonly tokens: number;
  /** False when the model is not in the table, so that the number is a guess. */
  readonly known: boolean;
}

export function contextLengthOf(model: string): ContextLength {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const found = KNOWN.find(([pattern]) => pattern.test(name));
  return found === undefined
    ? { tokens: DEFAULT_CONTEXT_LENGTH, known: false }
    : { tokens: found[1], known: true };
}
