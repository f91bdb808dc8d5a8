/** What an event says in words, which group it belongs to, and where it leads. */
import type { KeepsakeEvent, Receipt } from '../api.ts';
import { address } from '../dom/address.ts';
import { count, words } from '../dom/format.ts';
import { reasonName } from '../guard/reasons.ts';

/** Fields that every event has, or that are shown elsewhere. */
const ENVELOPE = ['seq', 'type', 'at', 'agent', 'session', 'via', 'id'];

export const GROUPS = ['all', 'memory', 'session', 'conversation', 'swarm', 'other'] as const;
export type Group = (typeof GROUPS)[number];

type Sentences = {
  readonly [Type in KeepsakeEvent['type']]?: (event: Extract<KeepsakeEvent, { type: Type }>) => string;
};

const one = (category: string) => `${/^[aeiou]/i.test(category) ? 'an' : 'a'} ${words(category)}`;
const memories = (many: number) => count(many, 'memory', 'memories');
const after = (prompts: number) => `after ${count(prompts, 'prompt')}`;

/** Each follows the name of the agent. */
const SENTENCES: Sentences = {
  'memory.wrote': ({ change, category, version }) =>
    `${change} ${one(category)}${version > 1 ? `, now version ${version}` : ''}`,
  'memory.blocked': ({ reasons, category }) =>
    `tried to store ${one(category)}, which was refused: ${reasons.map(reasonName).join(', ')}`,
  'memory.pruned': ({ category }) => `reached its limit, so ${one(category)} expired`,
  'memory.expired': ({ category }) => `had ${one(category)} expire`,
  'memory.forgotten': () => 'had a memory erased permanently',
  'memory.recalled': ({ entryCount, charsInjected }) =>
    entryCount === 0
      ? 'found no matching memory for a prompt'
      : `recalled ${memories(entryCount)} for a prompt, ${count(charsInjected, 'character')}`,
  'memory.extracted': ({ status, reason, opsApplied, opsProposed }) =>
    status === 'failed' || status === 'skipped'
      ? `${status === 'failed' ? 'could not review' : 'did not review'} a session (${reason})`
      : `kept ${opsApplied} of ${count(opsProposed, 'lesson')} of a session`,
  'session.sent': ({ characters }) => `received a prompt of ${count(characters, 'character')}`,
  'session.completed': ({ prompts }) => `completed ${after(prompts)}`,
  'session.failed': ({ prompts }) => `failed ${after(prompts)}`,
  'session.aborted': ({ prompts }) => `was stopped ${after(prompts)}`,
  'session.receipt': ({ loop, receipt }) => {
    const { memories: used, total } = receipt as unknown as Receipt;
    const size = `${memories(used.length)}, about ${count(total.tokens, 'token')}`;
    return loop === 1 ? `asked the model with ${size}` : `asked the model again (call ${loop}) with ${size}`;
  },
  'conversation.compacted': ({ replaced }) => `compacted ${count(replaced, 'message')} into a summary`,
};

export function sentence(event: KeepsakeEvent): string {
  const known = Object.hasOwn(SENTENCES, event.type) ? SENTENCES[event.type] : undefined;
  if (known !== undefined) return (known as (event: KeepsakeEvent) => string)(event);
  return Object.entries(event)
    .filter(([name]) => !ENVELOPE.includes(name))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}

interface Target {
  readonly href: string;
  readonly text: string;
}

/** What the event is about. */
export function target(event: KeepsakeEvent): Target | undefined {
  if ('quarantineId' in event) return { href: address('guard'), text: 'review' };
  if (event.type === 'session.receipt' && event.session !== undefined) {
    return { href: address('sessions', event.session), text: 'receipt' };
  }
  if (event.type === 'conversation.compacted') {
    return { href: address('conversations', event.agent ?? ''), text: 'conversation' };
  }
  if ('run' in event) return { href: address('swarms', event.run), text: 'run' };
  if ('id' in event && event.type !== 'memory.forgotten') {
    return { href: address('memory', event.id), text: 'open' };
  }
  return undefined;
}

export function groupOf({ type }: KeepsakeEvent): Group {
  const [name = ''] = type.split('.');
  return GROUPS.find((group) => group === name) ?? 'other';
}
