/** Counts tokens: with the model's own tokenizer where that is public and installed, else by an estimate that says so. */
import { estimateTokens } from '../../kernel/tokens.ts';
import { loadPackage } from '../../runtime/load-package.ts';

export interface TokenCount {
  readonly tokens: number;
  /** False for an estimate. */
  readonly exact: boolean;
}

type Count = (text: string) => number;

const O200K = /^(gpt-4o|gpt-4\.1|gpt-5|chatgpt-4o|o[134](-|$))/;
const CL100K = /^(gpt-4|gpt-3\.5)/;

/** The tokenizers are optional and large (half a second, 60 MB), so each is loaded once and only when asked for. */
const loaded = new Map<string, Promise<Count | undefined>>();

function tokenizerFor(model: string): Promise<Count | undefined> {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const encoding = O200K.test(name) ? 'o200k_base' : CL100K.test(name) ? 'cl100k_base' : undefined;
  if (encoding === undefined) return Promise.resolve(undefined);
  let tokenizer = loaded.get(encoding);
  if (tokenizer === undefined) {
    tokenizer = load(encoding);
    loaded.set(encoding, tokenizer);
  }
  return tokenizer;
}

type Tokenizer = typeof import('gpt-tokenizer/encoding/o200k_base');

async function load(encoding: 'o200k_base' | 'cl100k_base'): Promise<Count | undefined> {
  try {
    const module =
      encoding === 'o200k_base'
        ? loadPackage<Tokenizer>('gpt-tokenizer/encoding/o200k_base')
        : loadPackage<Tokenizer>('gpt-tokenizer/encoding/cl100k_base');
    // Text may contain what looks like a special token; it is text all the same.
    return (text) => module.countTokens(text, { allowedSpecial: 'all' });
  } catch {
    return undefined;
  }
}

export async function countTokens(text: string, model: string): Promise<TokenCount> {
  const count = await tokenizerFor(model);
  return count === undefined
    ? { tokens: estimateTokens(text), exact: false }
    : { tokens: count(text), exact: true };
}
