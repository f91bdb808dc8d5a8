/** The messages of one agent, newest at the end; older ones are read on request. */
import type { ConversationSummary, Message } from '../api.ts';
import { call } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { messageItems } from './messages.ts';

const PAGE = 50;
/** A search returns no more. */
const MOST = 1_000;
const TYPING_MS = 200;

export interface Transcript {
  readonly element: HTMLElement;
  /** Reads what was said since. */
  readNewer(): Promise<void>;
}

/** `typed`: what is searched for, and where to keep it. */
export function transcript(
  { agent, user, thread, compactedUpTo }: ConversationSummary,
  typed: { readonly question: string; readonly keep: (question: string) => void },
): Transcript {
  const whose = { agent, user: user ?? undefined, thread: thread ?? undefined };
  let limit = PAGE;
  let shown: readonly Message[] = [];
  let hasOlder = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let question = '';
  const list = h('ol', { class: 'messages', 'aria-label': 'Messages, oldest first' });
  const older = h('div', { class: 'actions center' });
  const search: HTMLInputElement = h('input', {
    type: 'search',
    value: typed.question,
    placeholder: 'Search messages',
    'aria-label': 'Search the conversation',
    on: { input: findLater },
  });
  const element = h('div', null, h('div', { class: 'toolbar' }, search), h('div', null, older, list));

  function draw(): void {
    fill(list, messageItems(shown, { compactedUpTo, question }));
    if (question === '') fill(older, hasOlder && button('Older messages', readOlder));
    else
      fill(
        older,
        shown.length === limit &&
          limit < MOST && [
            h('span', { class: 'small' }, `The best ${limit} matches`),
            button('Show more', findMore),
          ],
      );
  }

  async function readOlder(): Promise<void> {
    const body = { limit: PAGE, before: shown[0]?.id };
    const page = await attempt(() => call('POST /v1/log/get', { ...whose, body }), {
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
    const page = await attempt(() => call('POST /v1/log/get', { ...whose, body: { limit: PAGE, after } }));
    if (page === undefined || page.length === 0) return;
    shown = [...shown, ...page.filter(({ id }) => !shown.some((each) => each.id === id))];
    draw();
  }

  async function find(): Promise<void> {
    const asked = search.value.trim();
    if (asked !== question) limit = PAGE;
    question = asked;
    shown = [];
    if (question === '') return readOlder();
    const body = { query: question, limit };
    const found = await attempt(() => call('POST /v1/log/search', { ...whose, body }), {
      place: list,
      again: find,
    });
    if (found === undefined) return;
    shown = found;
    draw();
    if (found.length > 0) return;
    fill(list, h('li', null, empty('No matching messages', `No message of ${agent} contains these words.`)));
  }

  function findMore(): Promise<void> {
    limit = Math.min(MOST, limit * 4);
    return find();
  }

  function findLater(): void {
    typed.keep(search.value);
    clearTimeout(timer);
    timer = setTimeout(find, TYPING_MS);
  }

  if (typed.question === '') readOlder();
  else find();
  return { element, readNewer };
}
