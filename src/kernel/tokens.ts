/** Estimates the tokens of a text; exact counts need the tokenizer of the model. */
import { estimateTokenCount } from 'tokenx';

export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}
