/** The conversations of all agents, and the messages and archives of the one that is open. */

import { knownUsers } from '../agents.ts';
import type { ConversationSummary } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside } from '../dom/elements.ts';
import { ago, count } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { Filters } from '../filters.ts';
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
  const shown = history > 0 ? ` (last ${count(history, 'message')})` : '';
  return `history: ${LEVELS[history] ?? 'custom'}${shown}${persistent ? ', MEMORY.md' : ''}`;
}

/** With a user, the conversations of all agents with this person; `thread` names the one that is open, besides its agent. */
const kept = new Filters('conversations', { q: '', user: '', thread: '', compare: '' });
const TYPING_MS = 180;

const isOpen = ({ agent, thread }: ConversationSummary, selected: string | undefined) =>
  agent === selected && (thread ?? '') === kept.values.thread;

/** An empty query, too, says something: the conversation that is not a thread. */
function addressOf({ agent, thread }: ConversationSummary): string {
  const named = { user: kept.values.user, thread: thread ?? '' };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
  return `${address('conversations', agent)}?${query}`;
}

const readAll = () => call('POST /v1/log/list', { body: {}, user: kept.values.user || undefined });
const newestFirst = (all: readonly ConversationSummary[]) => all.toSorted((a, b) => b.lastAt - a.lastAt);

export function conversationsView(): View {
  let all: readonly ConversationSummary[] = [];
  /** The agent, "archives", and the name of one. */
  let selected: readonly string[] = [];
  let open: Transcript | undefined;
  let wasShown = false;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const users = h('datalist', { id: 'users-of-conversations' });
  const user: HTMLInputElement = h('input', {
    ...{ type: 'search', placeholder: 'user', 'aria-label': 'User', autocomplete: 'off' },
    list: 'users-of-conversations',
    on: {
      input: () => {
        kept.set({ user: user.value.trim(), thread: '', q: '' });
        clearTimeout(timer);
        timer = setTimeout(load, TYPING_MS);
      },
    },
  });
  const { element, detail, setOpen } = split({
    title: 'Conversations',
    about: 'All messages are kept, also after a compaction.',
    label: 'Conversation',
    isSlim: true,
    controls: h('div', { class: 'find-user' }, user, users),
    finder: body,
  });

  function item(conversation: ConversationSummary): HTMLElement {
    const { agent, user, thread, messages, lastAt } = conversation;
    const isCurrent = isOpen(conversation, selected[0]);
    return h(
      'li',
      null,
      h(
        'a',
        {
          class: 'item',
          'data-item': true,
          href: addressOf(conversation),
          'aria-current': isCurrent ? 'true' : undefined,
        },
        h('span', { class: 'item-head' }, h('b', null, agent), h('span', { class: 'small' }, ago(lastAt))),
        (user !== null || thread !== null) &&
          h(
            'span',
            { class: 'small' },
            [user !== null && `user ${user}`, thread !== null && `thread ${thread}`]
              .filter(Boolean)
              .join(', '),
          ),
        h('span', { class: 'small' }, `${count(messages, 'message')} · ${level(conversation)}`),
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
    if (all.length === 0 && kept.values.user !== '') {
      fill(body, empty('No conversations', `No agent has talked with ${kept.values.user}.`));
    } else if (all.length === 0) {
      const about = 'All messages of all agents are kept here, also after a compaction.';
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
    const conversation = all.find((each) => isOpen(each, agent));
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
    const { agent, user, thread } = conversation;
    const [, part, name] = selected;
    const isArchive = part === 'archives';
    const link = (text: string, href: string, isCurrent: boolean) =>
      h('a', { href, 'aria-current': isCurrent ? 'page' : undefined }, text);
    const comparison = {
      with: name === undefined ? '' : kept.values.compare,
      keep: (other: string) => kept.set({ compare: other }),
    };
    if (!isArchive) {
      const keep = (q: string) => kept.set({ q });
      open = transcript(conversation, { question: kept.values.q, keep });
    }
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('conversations')),
        h('h2', null, agent),
        user !== null && chip(`user ${user}`),
        thread !== null && chip(`thread ${thread}`),
        chip(level(conversation)),
      ),
      // Only the one conversation of an agent has a MEMORY.md, and so archives.
      user === null &&
        thread === null &&
        h(
          'nav',
          { class: 'segments', 'aria-label': 'Parts of the conversation' },
          link('Messages', address('conversations', agent), !isArchive),
          link('Archives', address('conversations', agent, 'archives'), isArchive),
        ),
      h('div', null, open?.element ?? archives(agent, name, comparison)),
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
  kept.read();
  attempt(async () => users.append(...(await knownUsers()).map((value) => h('option', { value }))));
  load();
  return {
    element,
    show: (parts) => {
      const [before, asked] = [[selected[0], kept.values.thread].join('\n'), kept.values.user];
      const { compare } = kept.values;
      kept.read();
      // A comparison belongs to one archive.
      if (wasShown && parts[2] !== selected[2] && compare === kept.values.compare) kept.set({ compare: '' });
      // A search belongs to one conversation.
      if (wasShown && before !== [parts[0], kept.values.thread].join('\n')) kept.set({ q: '' });
      wasShown = true;
      selected = parts;
      if (user !== document.activeElement) user.value = kept.values.user;
      if (asked !== kept.values.user) return void load();
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
      clearTimeout(timer);
    },
  };
}
