/** Messages as a person reads them: who, when, and what, with tool calls in one line each. */
import type { Context } from '../../context.ts';
import { oneLine, printable } from '../../terminal/printable.ts';
import { shortTime } from '../../terminal/short-time.ts';
import { displayWidth } from '../../terminal/width.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { Answer } from '../presentation.ts';

/** `thread` is there when all threads were searched. */
export type Message = Answer<'logGet'>[number] & { readonly thread?: string | null };
type Part = Exclude<Message['content'], string>[number];

const INDENT = '  ';
/** Longer values of a part, such as the bytes of an image, are told by their size; --json has them. */
const MOST_SHOWN = 200;

function json(value: unknown): string {
  if (typeof value === 'string') return value;
  return (
    JSON.stringify(value, (_key, each) =>
      typeof each === 'string' && each.length > MOST_SHOWN ? `(${each.length} characters)` : each,
    ) ?? ''
  );
}

function partText(part: Part): string {
  const { type } = part;
  if (typeof part.text === 'string') return part.text;
  if (type === 'tool-call' || type === 'tool_use') {
    return `→ ${part.toolName ?? part.name} ${json(part.input ?? {})}`;
  }
  if (type === 'tool-result' || type === 'tool_result') {
    return `← ${part.toolName ?? ''} ${json(part.output ?? part.content ?? null)}`.replace('  ', ' ');
  }
  const { type: _type, ...rest } = part;
  return `[${type}] ${json(rest)}`;
}

export function messageText(content: Message['content']): string {
  return typeof content === 'string' ? content : content.map(partText).join('\n');
}

const COLOURS = { User: 'green', System: 'yellow', Tool: 'cyan' } as const;

function colourOf(role: string): 'green' | 'yellow' | 'cyan' | 'magenta' {
  return Object.hasOwn(COLOURS, role) ? COLOURS[role as keyof typeof COLOURS] : 'magenta';
}

/** The id stands where there is room for it, because it is only needed to page on. */
function headLine(
  { role, at, id, thread }: Message,
  { output, clock }: Pick<Context, 'output' | 'clock'>,
): string {
  const { paint, width } = output;
  const name = oneLine(role);
  const time = [shortTime(at, clock.now()), ...(thread ? [oneLine(thread)] : [])].join('  ');
  const fits = width === undefined || displayWidth(`${name}  ${time}  ${id}`) <= width;
  return [
    paint([colourOf(role), 'bold'], name),
    paint('dim', time),
    ...(fits ? [paint('dim', oneLine(id))] : []),
  ].join('  ');
}

export function messageLines(
  message: Message,
  context: Pick<Context, 'output' | 'clock'>,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const { width } = context.output;
  const room = width === undefined ? undefined : width - INDENT.length;
  const text = wrap(printable(clipped(messageText(message.content), most)), room);
  return [headLine(message, context), ...text.map((line) => (line === '' ? '' : INDENT + line))];
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters; --json has them)`;
}

/** With an empty line between two of them; of each message at most so many characters. */
export function conversationLines(
  messages: readonly Message[],
  context: Pick<Context, 'output' | 'clock'>,
  most?: number,
): string[] {
  return messages.flatMap((message, i) => [
    ...(i === 0 ? [] : ['']),
    ...messageLines(message, context, most),
  ]);
}
