/** The conversations of all agents, and the messages and archives of the one that is open. */
import type { ConversationSummary } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside } from '../dom/elements.ts';
import { ago, count } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { paced } from '../paced.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { chip } from '../parts/facts.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { archives } from './archives.ts';
import { type Transcript, transcript } from './transcript.ts';

const PAUSE_MS = 200;
const LEVELS: Readonly<Record<number, string>> = { 0: 'none', 10: 'low', 50: 'medium', 200: 'high' };

function level({ history, persistent }: ConversationSummary): string {
  const parts = [`history ${LEVELS[history] ?? history}`];
  if (history > 0) parts.push(`last ${history}`);
  if (persistent) parts.push('MEMORY.md');
  return parts.join(', ');
}

const readAll = () => call('POST /v1/log/list', { body: {} });
const newestFirst = (all: readonly ConversationSummary[]) => all.toSorted((a, b) => b.lastAt - a.lastAt);

export function conversationsView(): View {
  let all: readonly ConversationSummary[] = [];
  /** The agent, "archives", and the name of one. */
  let selected: readonly string[] = [];
  let open: Transcript | undefined;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const { element, detail, setOpen } = split({
    title: 'Conversations',
    about: 'Every message is kept, also after its conversation was compacted.',
    label: 'Conversation',
    isSlim: true,
    finder: body,
  });

  function item(conversation: ConversationSummary): HTMLElement {
    const { agent, messages, lastAt } = conversation;
    const isCurrent = agent === selected[0];
    return h(
      'li',
      null,
      h(
        'a',
        {
          class: 'item',
          'data-item': true,
          href: address('conversations', agent),
          'aria-current': isCurrent ? 'true' : undefined,
        },
        h('span', { class: 'item-head' }, h('b', null, agent), h('span', { class: 'small' }, ago(lastAt))),
        h('span', { class: 'small' }, `${count(messages, 'message')}, ${level(conversation)}`),
      ),
    );
  }

  async function load(): Promise<void> {
    const found = await attempt(readAll, { place: body, again: load });
    if (found === undefined) return;
    all = newestFirst(found);
    drawList();
    draw();
  }

  function drawList(): void {
    if (all.length === 0) {
      const about = 'Every message of every agent is kept here, also after its conversation was compacted.';
      const example = 'keepsake log add --agent my-agent "We ship on Friday."';
      fill(body, empty('No conversations yet', about, example));
    } else {
      fill(list, all.map(item));
      fill(body, list);
    }
  }

  function draw(): void {
    const [agent] = selected;
    setOpen(agent !== undefined);
    open = undefined;
    const conversation = all.find((each) => each.agent === agent);
    if (conversation !== undefined) drawConversation(conversation);
    else {
      const nothing =
        agent === undefined
          ? empty('Select a conversation', 'Shows its messages and archives.')
          : empty('No messages yet', `${agent} has no conversation.`);
      fill(detail, all.length > 0 && nothing);
    }
  }

  function drawConversation(conversation: ConversationSummary): void {
    const { agent } = conversation;
    const [, part, name] = selected;
    const isArchive = part === 'archives';
    const link = (text: string, href: string, isCurrent: boolean) =>
      h('a', { href, 'aria-current': isCurrent ? 'page' : undefined }, text);
    if (!isArchive) open = transcript(conversation);
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('conversations')),
        h('h2', null, agent),
        chip(level(conversation)),
      ),
      h(
        'nav',
        { class: 'segments', 'aria-label': 'Parts of the conversation' },
        link('Messages', address('conversations', agent), !isArchive),
        link('Archives', address('conversations', agent, 'archives'), isArchive),
      ),
      h('div', null, open?.element ?? archives(agent, name)),
    );
  }

  let isStale = false;
  const renew = paced(async () => {
    const found = await attempt(readAll);
    if (found === undefined) return;
    isStale ||= all.length === 0;
    all = newestFirst(found);
    drawList();
    if (isStale) draw();
    else await open?.readNewer();
    isStale = false;
  }, PAUSE_MS);
  const unsubscribe = onEvent(({ type, agent }) => {
    if (!type.startsWith('session.') && !type.startsWith('conversation.') && type !== 'swarm.message') return;
    // A compaction changes how the messages before it are shown.
    isStale ||= type === 'conversation.compacted' && agent === selected[0];
    renew();
  });
  load();
  return {
    element,
    show: (parts) => {
      selected = parts;
      drawList();
      draw();
    },
    key: (event, isTyping) => {
      const [agent, part] = selected;
      if (event.key === 'Escape' && agent !== undefined) {
        if (part === undefined) goTo('conversations');
        else goTo('conversations', agent);
        return true;
      }
      return !isTyping && moveInList(isInside(detail, event) ? detail : list, event);
    },
    leave: () => {
      unsubscribe();
      renew.stop();
    },
  };
}
