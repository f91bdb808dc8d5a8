/** One prompt of a session: the task, what the model saw, tool calls, the answer, and what it cost. */
import type { JsonValue, Message, PromptStory } from '../api.ts';
import { type Child, h } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { chip, type Tone } from '../parts/facts.ts';
import { promptReceipt } from './receipt.ts';

/** Longer results of tools are folded. */
const LONG = 600;
const TONES: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'danger', aborted: 'warm' };

interface Part {
  readonly type: string;
  readonly text?: JsonValue;
  readonly toolName?: JsonValue;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
}

function partsOf(content: JsonValue): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [{ type: 'other', text: JSON.stringify(content) }];
  return content.map((part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) && typeof part.type === 'string'
      ? (part as unknown as Part)
      : { type: 'text', text: String(part) },
  );
}

const plain = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);

function folded(text: string): HTMLElement {
  const body = h('pre', { class: 'content' }, text);
  return text.length > LONG ? h('details', null, h('summary', null, `${text.slice(0, 120)}…`), body) : body;
}

function partElement(part: Part, isAnswer: boolean): Child {
  const name = plain(part.toolName);
  if (part.type === 'tool-call') {
    return [h('h3', null, 'Tool call ', h('code', null, name)), folded(plain(part.input))];
  }
  if (part.type === 'tool-result') {
    return [h('h3', null, 'Result of ', h('code', null, name)), folded(plain(part.output))];
  }
  const text = plain(part.text);
  if (text === '') return null;
  return [
    h('h3', null, isAnswer ? 'Answer' : 'Said'),
    h('pre', { class: 'content answer', dir: 'auto' }, text),
  ];
}

function spoken({ role, content }: Message, isLast: boolean): Child {
  const parts = partsOf(content);
  const isAnswer = isLast && role !== 'Tool' && !parts.some(({ type }) => type === 'tool-call');
  return parts.map((part) => partElement(part, isAnswer));
}

export function costText(cost: number | null): string {
  return cost === null ? 'cost unknown' : `$${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`;
}

function spent({ inputTokens, outputTokens, cost }: PromptStory): Child {
  if (inputTokens === null || outputTokens === null) return null;
  const tokens = `${count(inputTokens, 'token')} in, ${count(outputTokens)} out`;
  return h('p', { class: 'small' }, `Cost: ${tokens}, ${costText(cost)}.`);
}

/** The first call of the model in full; the calls after its tools on demand. */
export function promptStory(prompt: PromptStory, number: number): HTMLElement {
  const { calls, messages, outcome } = prompt;
  const [task, ...said] = messages;
  const [first, ...later] = calls;
  return h(
    'article',
    { class: 'card prompt' },
    h(
      'div',
      { class: 'detail-head' },
      h('h2', null, `Prompt ${number}`),
      outcome !== null && chip(outcome, TONES[outcome]),
    ),
    task === undefined
      ? h('p', { class: 'small' }, 'What was said in this prompt is not stored.')
      : [
          h('h3', null, 'Task'),
          h(
            'pre',
            { class: 'content', dir: 'auto' },
            partsOf(task.content)
              .map(({ text }) => plain(text))
              .join('\n'),
          ),
        ],
    first !== undefined && promptReceipt(first),
    said.map((message, i) => spoken(message, i === said.length - 1)),
    spent(prompt),
    later.length > 0 &&
      h(
        'details',
        null,
        h('summary', null, `What the model saw in ${count(later.length, 'later call')}`),
        later.map(promptReceipt),
      ),
  );
}
