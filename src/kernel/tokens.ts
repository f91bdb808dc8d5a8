/** A quick estimate of how many tokens a text costs; exact counts need a model's own tokenizer. */
import { estimateTokenCount } from 'tokenx';

export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}
