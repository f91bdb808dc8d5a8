/** Shortens tool results that would fill too much of a model's window; the log keeps them whole. */
import { estimateTokens } from '../../kernel/tokens.ts';
import type { ContentPart, ConversationMessage, MessageContent } from '../messages/message.ts';

/** The part of the window that one result may take: several must fit beside the prompt. */
const SHARE = 0.25;
/** Of what is kept, the part that comes from the beginning: headings and first rows say most. */
const HEAD = 0.7;

export interface ShortenOptions {
  /** Tokens that the model reads at once. */
  readonly window: number;
  /** Whether the agent has the tool `more_context`. */
  readonly canReadOn: boolean;
}

const resultText = ({ output }: ContentPart): string =>
  typeof output === 'string' ? output : JSON.stringify(output ?? null);

const textOf = (part: ContentPart): string => {
  if (part.type === 'text' && typeof part.text === 'string') return part.text;
  return part.type === 'tool-result' ? resultText(part) : JSON.stringify(part);
};

/** A message as one text, tool results as the tools gave them: what `from` of `more_context` counts in. */
export function rawText(content: MessageContent): string {
  return typeof content === 'string' ? content : content.map(textOf).join('');
}

export function shortenResults(message: ConversationMessage, options: ShortenOptions): ConversationMessage {
  const { content, id } = message;
  if (typeof content === 'string') return message;
  let start = 0;
  const parts = content.map((part) => {
    const shortened = part.type === 'tool-result' ? shorten(part, { id, start }, options) : part;
    start += textOf(part).length;
    return shortened;
  });
  return parts.every((part, i) => part === content[i]) ? message : { ...message, content: parts };
}

/** A result is measured again with every prompt, and counting 60,000 characters takes 40 ms. */
const counted = new WeakMap<ContentPart, number>();

function countOnce(part: ContentPart, text: string): number {
  const tokens = counted.get(part) ?? estimateTokens(text);
  counted.set(part, tokens);
  return tokens;
}

function shorten(
  part: ContentPart,
  place: { readonly id: string; readonly start: number },
  { window, canReadOn }: ShortenOptions,
): ContentPart {
  const text = resultText(part);
  const most = window * SHARE;
  // No character costs more than a token, so short results need not be counted.
  const tokens = text.length <= most ? 0 : countOnce(part, text);
  if (tokens <= most) return part;
  const kept = Math.floor((text.length * most) / tokens);
  const head = Math.ceil(kept * HEAD);
  const tail = kept - head;
  const how = canReadOn
    ? `Call more_context with message "${place.id}" and from ${place.start + head} to read on, or ask for less at a time.`
    : 'Ask for less at a time.';
  const output = [
    text.slice(0, head).toWellFormed(),
    `… (${text.length - kept} of ${text.length} characters are left out here. ${how})`,
    text.slice(text.length - tail).toWellFormed(),
  ];
  return { ...part, output: output.join('\n') };
}
