/** The options of a compressor: what they mean, what is refused, and what an agent lends to those that leave them out. */
import { contextLengthOf } from '../../kernel/context-length.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { modelName, type NamedModel } from '../../kernel/model-name.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import { checkNames } from '../check-options.ts';

const POLICIES = ['compactAll', 'summarizeOlder', 'window'] as const;
export type CompressionPolicy = (typeof POLICIES)[number];

/** What an agent's compressor leaves out is as the agent is configured. */
export interface ContextCompressorOptions {
  /** Part of the context window that must be in use. Default 0.9. */
  readonly threshold?: number;
  /** Tokens that the model reads at once. Default: that of the model. */
  readonly contextLength?: number;
  /** The model that the conversation is sent to, by name or as an AI SDK model; decides the window and the tokenizer. */
  readonly model?: NamedModel;
  /** What shrinks: everything into a summary, the older part into a summary, or the view. Default compactAll. */
  readonly policy?: CompressionPolicy;
  /** How many of the newest messages the policies summarizeOlder and window leave as they are. Default 10. */
  readonly keepLast?: number;
  /** Writes the summary: "provider/model" or an AI SDK model, opened with the keys of the agent's workspace. */
  readonly summarizerModel?: NamedModel;
  /** Writes the summary: any object with generate(). Without one the most informative sentences are extracted. */
  readonly summarizer?: LanguageModel;
  /** How freely the summarizer writes. Default: that of the model. */
  readonly summarizerTemperature?: number;
  /** Maximum length of the summary, in tokens. Default 2000, and at most a quarter of the window. */
  readonly summarizerMaxTokens?: number;
}

/** What the conversation of an agent lends to compressors. */
export interface CompressionDefaults extends Omit<ContextCompressorOptions, 'summarizerModel'> {
  /** Opens a model that a compressor names, when the first summary is wanted. */
  readonly openSummarizer?: (model: NamedModel) => LanguageModel | undefined;
}

/** Options with everything decided. */
export interface DecidedOptions {
  readonly threshold: number;
  readonly policy: CompressionPolicy;
  readonly keepLast: number;
  /** Empty when it is not known. */
  readonly model: string;
  readonly contextLength: number;
  readonly summarizer: LanguageModel | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number;
}

export const DEFAULT_THRESHOLD = 0.9;
const DEFAULT_KEEP_LAST = 10;
const DEFAULT_SUMMARY_TOKENS = 2_000;
const SHORTEST_SUMMARY_TOKENS = 100;

export function decideOptions(own: ContextCompressorOptions, lent: CompressionDefaults): DecidedOptions {
  const given = own.model ?? lent.model;
  const model = given === undefined ? '' : modelName(given);
  // A window that is configured belongs to the model that is configured.
  const lentLength = own.model === undefined ? lent.contextLength : undefined;
  const contextLength = own.contextLength ?? lentLength ?? contextLengthOf(model).tokens;
  // A summary that filled the window again would be of no use.
  const most = Math.max(SHORTEST_SUMMARY_TOKENS, Math.floor(contextLength / 4));
  return {
    threshold: own.threshold ?? lent.threshold ?? DEFAULT_THRESHOLD,
    policy: own.policy ?? lent.policy ?? 'compactAll',
    keepLast: own.keepLast ?? lent.keepLast ?? DEFAULT_KEEP_LAST,
    model,
    contextLength,
    summarizer: summarizerOf(own, lent),
    temperature: own.summarizerTemperature ?? lent.summarizerTemperature,
    maxTokens: own.summarizerMaxTokens ?? lent.summarizerMaxTokens ?? Math.min(DEFAULT_SUMMARY_TOKENS, most),
  };
}

function summarizerOf(own: ContextCompressorOptions, lent: CompressionDefaults): LanguageModel | undefined {
  const { summarizer, summarizerModel } = own;
  if (summarizer !== undefined) return summarizer;
  if (summarizerModel === undefined) return lent.summarizer;
  if (isLanguageModel(summarizerModel)) return summarizerModel;
  if (lent.openSummarizer !== undefined) return lent.openSummarizer(summarizerModel);
  throw new KeepsakeError(
    'UNSUPPORTED',
    `${modelName(summarizerModel)} cannot be opened: this conversation was not opened by an agent.`,
    { hint: 'Take the conversation from agent.shortMemory, or pass summarizer, an object with generate().' },
  );
}

const isLanguageModel = (value: unknown): value is LanguageModel =>
  typeof (value as { generate?: unknown } | null)?.generate === 'function';

const isModel = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() !== '';
  const { id, provider, modelId } = (value ?? {}) as Record<string, unknown>;
  return typeof id === 'string' || (typeof provider === 'string' && typeof modelId === 'string');
};
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

type Check = readonly [isValid: (value: unknown) => boolean, expected: string];
const MODEL: Check = [isModel, 'Use "provider/model" or a model of the AI SDK.'];
const TOKENS: Check = [isCount, 'Use a number of tokens, for example 8000.'];

const CHECKS: Readonly<Record<keyof ContextCompressorOptions, Check>> = {
  threshold: [
    (value) => isWithin(value, Number.MIN_VALUE, 1),
    'Use the part of the context window that must be in use: above 0 and at most 1, for example 0.9.',
  ],
  contextLength: TOKENS,
  model: MODEL,
  policy: [(value) => POLICIES.includes(value as CompressionPolicy), `Use one of ${POLICIES.join(', ')}.`],
  keepLast: [(value) => value === 0 || isCount(value), 'Use a number of messages, for example 10.'],
  summarizerModel: MODEL,
  summarizer: [isLanguageModel, 'Use an object with generate(), or summarizerModel for "provider/model".'],
  summarizerTemperature: [(value) => isWithin(value, 0, 2), 'Use a number from 0 to 2.'],
  summarizerMaxTokens: TOKENS,
};

export function checkCompressorOptions(options: ContextCompressorOptions): void {
  checkNames(options, Object.keys(CHECKS), 'new ContextCompressor({ threshold: 0.75 })');
  for (const [name, [isValid, hint]] of Object.entries(CHECKS)) {
    const value: unknown = options[name as keyof ContextCompressorOptions];
    if (value === undefined || isValid(value)) continue;
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
    throw new KeepsakeError('INVALID_INPUT', `Invalid value for ${name}: ${shown}.`, { hint });
  }
}
