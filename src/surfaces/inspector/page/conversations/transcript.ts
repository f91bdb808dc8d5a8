/** The messages of one agent, newest at the end; older ones are read on request. */
import type { ConversationSummary, Message } from '../api.ts';
import { call } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { messageItems } from './messages.ts';

const PAGE = 50;
const TYPING_MS = 200;

export interface Transcript {
  readonly element: HTMLElement;
  /** Reads what was said since. */
  readNewer(): Promise<void>;
}

export function transcript({ agent, compactedUpTo }: ConversationSummary): Transcript {
  let shown: readonly Message[] = [];
  let hasOlder = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let question = '';
  const list = h('ol', { class: 'messages', 'aria-label': 'Messages, oldest first' });
  const older = h('div', { class: 'actions center' });
  const search = h('input', {
    type: 'search',
    placeholder: 'Search messages',
    'aria-label': 'Search the conversation',
    on: { input: findLater },
  });
  const element = h('div', null, h('div', { class: 'toolbar' }, search), h('div', null, older, list));

  function draw(): void {
    fill(list, messageItems(shown, { compactedUpTo, question }));
    fill(older, hasOlder && question === '' && button('Older messages', readOlder));
  }

  async function readOlder(): Promise<void> {
    const body = { limit: PAGE, before: shown[0]?.id };
    const page = await attempt(() => call('POST /v1/log/get', { agent, body }), {
      place: older,
      again: readOlder,
    });
    if (page === undefined) return;
    hasOlder = page.length === PAGE;
    shown = [...page, ...shown];
    draw();
  }

  async function readNewer(): Promise<void> {
    const after = shown.at(-1)?.id;
    if (question !== '' || after === undefined) return;
    const page = await attempt(() => call('POST /v1/log/get', { agent, body: { limit: PAGE, after } }));
    if (page === undefined || page.length === 0) return;
    shown = [...shown, ...page.filter(({ id }) => !shown.some((each) => each.id === id))];
    draw();
  }

  async function find(): Promise<void> {
    question = search.value.trim();
    shown = [];
    if (question === '') return readOlder();
    const body = { query: question, limit: PAGE };
    const found = await attempt(() => call('POST /v1/log/search', { agent, body }), {
      place: list,
      again: find,
    });
    if (found === undefined) return;
    shown = found;
    if (found.length > 0) return draw();
    fill(list, h('li', null, empty('No matching messages', `No message of ${agent} contains these words.`)));
  }

  function findLater(): void {
    clearTimeout(timer);
    timer = setTimeout(find, TYPING_MS);
  }

  readOlder();
  return { element, readNewer };
}
