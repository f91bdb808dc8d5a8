/** List prices of known models, so that a call has a cost; caches and discounts make the true one smaller. */
import type { Usage } from '../../ports/language-model.ts';

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** By `provider/model`. */
export type Prices = Readonly<Record<string, Price>>;

const price = (input: number, output: number): Price => ({ input, output });

/**
 * The standard price of each model, without caches, batches and the surcharge for long prompts, written down from memory as
 * of November 2025 and not compared with the pages of the providers. Prices change: `models.prices` wins, and a model that
 * is not here has no cost rather than a wrong one.
 */
const KNOWN: Prices = {
  'openai/gpt-5': price(1.25, 10),
  'openai/gpt-5-mini': price(0.25, 2),
  'openai/gpt-5-nano': price(0.05, 0.4),
  'openai/gpt-4.1': price(2, 8),
  'openai/gpt-4.1-mini': price(0.4, 1.6),
  'openai/gpt-4.1-nano': price(0.1, 0.4),
  'openai/gpt-4o': price(2.5, 10),
  'openai/gpt-4o-mini': price(0.15, 0.6),
  'openai/o3': price(2, 8),
  'openai/o4-mini': price(1.1, 4.4),
  'anthropic/claude-opus-4-5': price(5, 25),
  'anthropic/claude-opus-4-1': price(15, 75),
  'anthropic/claude-opus-4': price(15, 75),
  'anthropic/claude-sonnet-4-5': price(3, 15),
  'anthropic/claude-sonnet-4': price(3, 15),
  'anthropic/claude-3-7-sonnet': price(3, 15),
  'anthropic/claude-haiku-4-5': price(1, 5),
  'anthropic/claude-3-5-haiku': price(0.8, 4),
  'google/gemini-2.5-pro': price(1.25, 10),
  'google/gemini-2.5-flash': price(0.3, 2.5),
  'google/gemini-2.5-flash-lite': price(0.1, 0.4),
};

const FREE = price(0, 0);

/** "gpt-4o-2024-08-06" and "claude-haiku-4-5-20251001" cost what the model without its date costs. */
const DATED = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

const own = (prices: Prices, id: string): Price | undefined =>
  Object.hasOwn(prices, id) ? prices[id] : undefined;

function priceOf(id: string, configured: Prices): Price | undefined {
  const undated = id.replace(DATED, '');
  const known = own(configured, id) ?? own(configured, undated) ?? own(KNOWN, undated);
  // What runs on a machine of one's own has no price per token.
  return known ?? (id.startsWith('ollama/') ? FREE : undefined);
}

/** In dollars; null when nobody knows. */
export function costOf(id: string, { inputTokens, outputTokens }: Usage, configured: Prices): number | null {
  const found = priceOf(id, configured);
  if (found === undefined) return null;
  return (inputTokens * found.input + outputTokens * found.output) / 1_000_000;
}
