/** Sessions by their first prompt, and what happened in the one that is selected. */

import { knownAgents, knownUsers } from '../agents.ts';
import type { Answer, SessionSummary } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside, markCurrent } from '../dom/elements.ts';
import { ago, count, excerpt } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { Filters } from '../filters.ts';
import { paced } from '../paced.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton, button, choose, select } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { chip, meta } from '../parts/facts.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { costText, promptStory } from './prompt.ts';

const FIRST = 50;
const FURTHER = 4;
const MOST = 10_000;
const RENEW_MS = 300;
const TYPING_MS = 180;
const kept = new Filters('sessions', { agent: '', user: '' });

type Story = Answer<'POST /v1/session/get'>;

function item(session: SessionSummary, isOpen: boolean): HTMLElement {
  const { session: id, agent, user, firstPrompt, lastAt, prompts, tokens, cost, outcome } = session;
  const attributes = {
    class: 'item',
    'data-item': true,
    'data-id': id,
    href: address('sessions', id),
    'aria-current': isOpen ? 'true' : undefined,
  };
  return h(
    'li',
    null,
    h(
      'a',
      attributes,
      h(
        'span',
        { class: 'line', dir: 'auto' },
        firstPrompt === null ? '(prompt not stored)' : excerpt(firstPrompt, 160),
      ),
      meta(
        (outcome === 'failed' || outcome === 'aborted') && chip(outcome, 'danger'),
        agent ?? 'no agent',
        user !== null && `user ${user}`,
        count(prompts, 'prompt'),
        `~${count(tokens, 'token')}`,
        cost !== null && costText(cost),
        ago(lastAt),
      ),
    ),
  );
}

function noSessions(): HTMLElement {
  if (kept.isSet()) return empty('No matching sessions', 'Change or clear the filters above.');
  return empty(
    'No sessions yet',
    'Each prompt of an agent, started from a program or from agents/<name>.md, leaves a receipt here: which memories it contained, why, and what was left out.',
  );
}

export function sessionsView(): View {
  kept.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let limit = FIRST;
  let selected = '';
  let sessions: readonly SessionSummary[] | undefined;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const more = h('div', { class: 'actions' });
  const agents = select('Agent', [['', 'all agents']], '', (agent) => filter({ agent }));
  const users = h('datalist', { id: 'users-of-sessions' });
  const user: HTMLInputElement = h('input', {
    ...{ type: 'search', placeholder: 'user', 'aria-label': 'User', list: 'users-of-sessions' },
    on: { input: () => filter({ user: user.value.trim() }, TYPING_MS) },
  });
  const { element, detail, setOpen } = split({
    title: 'Sessions',
    about: 'What was asked, which memories the model saw and why, and what it answered.',
    label: 'Session',
    isSlim: true,
    controls: h('div', { class: 'filters two' }, agents, user, users),
    finder: [body, more],
  });

  async function readList(): Promise<void> {
    const wanted = { agent: kept.values.agent || undefined, user: kept.values.user || undefined };
    const read = () => call('POST /v1/session/list', { body: { limit, ...wanted } });
    const answer = await attempt(read, { place: body, again: readList });
    if (answer === undefined) return;
    sessions = answer.sessions;
    fill(
      list,
      sessions.map((session) => item(session, session.session === selected)),
    );
    fill(body, sessions.length === 0 ? noSessions() : list);
    fill(more, answer.more && limit < MOST && button('Load older sessions', readFurther));
    if (selected === '') drawHint();
  }

  function filter(change: Partial<typeof kept.values>, pauseMs = 0): void {
    kept.set(change);
    limit = FIRST;
    clearTimeout(timer);
    timer = setTimeout(readList, pauseMs);
  }

  function showFilters(): void {
    choose(agents, kept.values.agent);
    if (user !== document.activeElement) user.value = kept.values.user;
  }

  function readFurther(): Promise<void> {
    limit = Math.min(MOST, limit * FURTHER);
    return readList();
  }

  function drawHint(): void {
    const hint = 'Shows what was asked, what the model saw and why, and what it answered.';
    fill(detail, (sessions?.length ?? 0) > 0 && empty('Select a session', hint));
  }

  function drawStory({ session, agent, user, prompts }: Story): void {
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('sessions')),
        h('b', null, agent ?? 'no agent'),
        user !== null && chip(`user ${user}`),
        h('code', { class: 'small' }, session),
      ),
      prompts.map((prompt, i) => promptStory(prompt, i + 1)),
    );
  }

  /** Scrolls to the top for another session, and not for the same one after a change. */
  async function readStory(session: string): Promise<void> {
    const firstSeq = sessions?.find((each) => each.session === session)?.firstSeq;
    const given = { body: { session, after: firstSeq === undefined ? undefined : firstSeq - 1 } };
    const again = () => readStory(session);
    const story = await attempt(() => call('POST /v1/session/get', given), { place: detail, again });
    if (story === undefined || selected !== session) return;
    drawStory(story);
  }

  const renew = paced(async () => {
    await readList();
    if (selected !== '') await readStory(selected);
  }, RENEW_MS);
  const unsubscribe = onEvent((event) => {
    if (event.type.startsWith('session.')) renew();
  });
  attempt(async () => {
    const names = (await knownAgents()).filter((name) => name !== kept.values.agent);
    agents.append(...names.map((name) => h('option', { value: name }, name)));
    users.append(...(await knownUsers()).map((value) => h('option', { value })));
  });
  showFilters();
  readList();
  return {
    element,
    show: ([id = '']) => {
      if (kept.read()) {
        showFilters();
        readList();
      }
      selected = id;
      markCurrent(list.querySelectorAll<HTMLElement>('a[data-id]'), ({ dataset }) => dataset.id === id);
      setOpen(id !== '');
      if (id === '') return drawHint();
      detail.scrollTop = 0;
      readStory(id);
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && selected !== '') {
        goTo('sessions');
        return true;
      }
      return !isTyping && !isInside(detail, event) && moveInList(list, event);
    },
    leave: () => {
      unsubscribe();
      renew.stop();
      clearTimeout(timer);
    },
  };
}
