/** Messages of conversations and swarms, one below the other, as text. */
import type { JsonValue, Message } from '../api.ts';
import { h } from '../dom/elements.ts';
import { clock, day } from '../dom/format.ts';
import { marked } from '../dom/marked.ts';

/** Longer ones are folded. */
const LONG = 2_000;

function partText(part: JsonValue): string {
  if (typeof part === 'string') return part;
  const isText = typeof part === 'object' && part !== null && !Array.isArray(part) && part.type === 'text';
  return isText ? String(part.text) : JSON.stringify(part, null, 2);
}

function contentText(content: JsonValue): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : JSON.stringify(content, null, 2);
}

function kindOf({ role, metadata }: Message): string {
  if (metadata?.summary === true) return 'summary';
  const name = role.toLowerCase();
  return ['user', 'system', 'tool'].includes(name) ? name : 'agent';
}

function messageItem(message: Message, to: string | undefined, question: string): HTMLElement {
  const text = contentText(message.content);
  const kind = kindOf(message);
  const body = h('div', { class: 'said' }, marked(text, question));
  return h(
    'li',
    { class: 'message', 'data-kind': kind, 'data-message': message.id },
    h(
      'p',
      { class: 'small' },
      h('b', null, kind === 'summary' ? 'Summary' : message.role),
      to !== undefined && [' to ', h('b', null, to)],
      ' ',
      clock(message.at),
    ),
    text.length > LONG ? h('details', null, h('summary', null, `${text.slice(0, 300)}…`), body) : body,
  );
}

interface MessagesOptions<M> {
  /** Messages up to this `seq` were replaced by a summary. */
  readonly compactedUpTo?: number;
  /** Its words are marked. */
  readonly question?: string;
  readonly to?: (message: M) => string | undefined;
}

/** With a line wherever a new day begins, and wherever a compaction ended. */
export function messageItems<M extends Message>(
  messages: readonly M[],
  { compactedUpTo = 0, question = '', to = () => undefined }: MessagesOptions<M> = {},
): HTMLElement[] {
  const isCompacted = ({ seq }: Message) => seq !== undefined && seq <= compactedUpTo;
  return messages.flatMap((message, i) => {
    const before = messages[i - 1];
    const wasCompacted = before !== undefined && isCompacted(before);
    const today = day(message.at);
    return [
      ...(wasCompacted && !isCompacted(message)
        ? [
            h(
              'li',
              { class: 'divider strong' },
              'MEMORY.md has a summary of the messages above; the log keeps them all',
            ),
          ]
        : []),
      ...(before === undefined || day(before.at) !== today ? [h('li', { class: 'divider' }, today)] : []),
      messageItem(message, to(message), question),
    ];
  });
}
