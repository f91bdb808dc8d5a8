/** Browser script: conversations by agent: what was said, how much of it a start sends again, and the archives. */
export const CONVERSATIONS_JS = `
import { call } from './api.js';
import { archivesView } from './archives.js';
import { ago, count, fill, h } from './dom.js';
import { onEvent } from './feed.js';
import { messages } from './messages.js';
import { paced } from './paced.js';
import { attempt, button, chip, empty, moveInList, split } from './widgets.js';

const PAGE = 50;
const PAUSE_MS = 200;
const LEVELS = { 0: 'off', 10: 'low', 50: 'medium', 200: 'high' };

function level({ history, persistent }) {
  const name = LEVELS[history] ?? String(history);
  return 'history ' + name + (history > 0 ? ', last ' + history : '') + (persistent ? ', MEMORY.md' : '');
}

/** The messages of one agent, newest at the end, older ones on request. */
function transcript(conversation) {
  const { agent, compactedUpTo } = conversation;
  let shown = [];
  let hasMore = false;
  let timer;
  let question = '';
  const list = h('ol', { class: 'messages', 'aria-label': 'Messages, oldest first' });
  const older = h('div', { class: 'actions center' });
  const search = h('input', { type: 'search', placeholder: 'Search what was said', 'aria-label': 'Search the conversation' });
  const body = h('div', null, older, list);
  const element = h('div', null, h('div', { class: 'toolbar' }, search), body);

  function draw() {
    fill(list, messages(shown, { compactedUpTo, question }));
    fill(older, hasMore && question === '' && button('Older messages', back));
  }

  async function back() {
    const before = shown[0]?.id;
    const read = () => call('POST /v1/log/show', { agent, body: { limit: PAGE, ...(before === undefined ? {} : { before }) } });
    const page = await attempt(read, { place: older, again: back });
    if (page === undefined) return;
    hasMore = page.length === PAGE;
    shown = [...page, ...shown];
    draw();
  }

  async function find() {
    question = search.value.trim();
    shown = [];
    if (question === '') return back();
    const found = await attempt(() => call('POST /v1/log/search', { agent, body: { query: question, limit: PAGE } }), { place: list, again: find });
    if (found === undefined) return;
    shown = found;
    if (found.length === 0) return fill(list, h('li', null, empty('Nobody said that', 'No message of ' + agent + ' holds these words.')));
    draw();
  }

  async function newer() {
    const after = shown.at(-1)?.id;
    if (question !== '' || after === undefined) return;
    const page = await attempt(() => call('POST /v1/log/show', { agent, body: { limit: PAGE, after } }));
    if (page === undefined || page.length === 0) return;
    shown = [...shown, ...page.filter(({ id }) => !shown.some((each) => each.id === id))];
    draw();
  }

  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, PAUSE_MS);
  });
  back();
  return { element, newer };
}

export function conversationsPage() {
  let all = [];
  let chosen = [];
  let view;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const { element, detail, open } = split({
    title: 'Conversations',
    about: 'What was said, kept for good; views of it shrink, the log does not.',
    label: 'Conversation',
    isSlim: true,
    finder: body,
  });

  const address = (agent, ...rest) => '#conversations/' + [agent, ...rest].map(encodeURIComponent).join('/');

  function item(conversation) {
    const { agent, messages: many, lastAt } = conversation;
    return h(
      'li',
      null,
      h(
        'a',
        { class: 'item', 'data-item': true, href: address(agent), 'aria-current': agent === chosen[0] ? 'true' : undefined },
        h('span', { class: 'item-head' }, h('b', null, agent), h('span', { class: 'small' }, ago(lastAt))),
        h('span', { class: 'small' }, count(many, 'message') + ', ' + level(conversation)),
      ),
    );
  }

  async function load() {
    const answer = await attempt(() => call('POST /v1/log/list', { body: {} }), { place: body, again: load });
    if (answer === undefined) return;
    all = answer.toSorted((a, b) => b.lastAt - a.lastAt);
    drawList();
    draw();
  }

  function drawList() {
    if (all.length === 0) return fill(body, empty('Nothing was said yet', 'Every message of every agent is kept here, also after its conversation was compacted.', 'keepsake log add --agent my-agent "We ship on Friday."'));
    fill(list, all.map(item));
    fill(body, list);
  }

  function draw() {
    const [agent, part, name] = chosen;
    open(agent !== undefined);
    view = undefined;
    const conversation = all.find((each) => each.agent === agent);
    if (conversation === undefined) return fill(detail, all.length > 0 && empty(agent === undefined ? 'Choose a conversation' : 'Nothing was said here', agent === undefined ? 'Its messages and archives stand here.' : agent + ' has no conversation.'));
    const isArchive = part === 'archives';
    const place = h('div', null);
    fill(
      detail,
      h('div', { class: 'detail-head' }, button('← Back', () => { location.hash = '#conversations'; }, { class: 'back' }), h('h2', null, agent), chip(level(conversation))),
      h(
        'nav',
        { class: 'segments', 'aria-label': 'Parts of the conversation' },
        h('a', { href: address(agent), 'aria-current': isArchive ? undefined : 'page' }, 'Messages'),
        h('a', { href: address(agent, 'archives'), 'aria-current': isArchive ? 'page' : undefined }, 'Archives'),
      ),
      place,
    );
    if (isArchive) return fill(place, archivesView(agent, name, address));
    view = transcript(conversation);
    fill(place, view.element);
  }

  let isStale = false;
  const renew = paced(async () => {
    const answer = await attempt(() => call('POST /v1/log/list', { body: {} }));
    if (answer === undefined) return;
    isStale ||= all.length === 0;
    all = answer.toSorted((a, b) => b.lastAt - a.lastAt);
    drawList();
    if (isStale) draw();
    else await view?.newer();
    isStale = false;
  }, PAUSE_MS);
  const deaf = onEvent(({ type, agent }) => {
    if (!type.startsWith('session.') && !type.startsWith('conversation.') && type !== 'swarm.message') return;
    // A compaction changes how the messages before it are shown.
    isStale ||= type === 'conversation.compacted' && agent === chosen[0];
    renew();
  });
  load();
  return {
    element,
    show: (parts) => { chosen = parts; drawList(); draw(); },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && chosen.length > 0) {
        location.hash = chosen.length > 1 ? address(chosen[0]) : '#conversations';
        return true;
      }
      return !isTyping && moveInList(detail.contains(event.target) ? detail : list, event);
    },
    leave: () => { deaf(); renew.stop(); },
  };
}
`;
