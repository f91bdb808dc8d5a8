/** Browser script: runs of swarms: their working memory and messages while they go on, and what became of them. */
export const SWARMS_JS = String.raw`
import { call } from './api.js';
import { ago, clock, count, fill, h, time } from './dom.js';
import { onEvent } from './feed.js';
import { messages } from './messages.js';
import { paced } from './paced.js';
import { attempt, button, chip, empty, meta, moveInList, pairs, split } from './widgets.js';

const PAGE = 100;
const CHANGES = 30;
const PAUSE_MS = 150;

const tone = { running: 'good', completed: '', failed: 'danger', cancelled: 'warm' };
const status = ({ status: name }) => chip(name, tone[name] ?? '');

/** A JSON value as a tree that can be folded. */
function tree(value, name) {
  const label = name === undefined ? null : h('span', { class: 'json-key' }, name, ': ');
  if (value === null || typeof value !== 'object') return h('div', { class: 'json' }, label, h('span', { class: 'json-' + (value === null ? 'null' : typeof value) }, typeof value === 'string' ? value : JSON.stringify(value)));
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? count(entries.length, 'entry', 'entries') : count(entries.length, 'key');
  return h('details', { class: 'json', open: true }, h('summary', null, label, h('span', { class: 'small' }, size)), entries.map(([key, each]) => tree(each, key)));
}

function cost({ calls, cost: dollars, inputTokens = 0, outputTokens = 0 }) {
  const price = dollars === null || dollars === undefined ? '' : ', ' + dollars.toFixed(4) + ' dollars';
  return count(calls, 'call') + ', ' + count(inputTokens + outputTokens, 'token') + price;
}

function change({ version, by, op, path, at }) {
  return h('li', null, h('span', { class: 'small' }, clock(at)), h('span', null, h('b', null, by), ' ' + op + ' ', h('code', null, path === '' ? '/' : path)), h('span', { class: 'small' }, 'v' + version));
}

/** One run, drawn anew whenever something in it happens. */
function runView(id) {
  const head = h('div', null);
  const state = h('section', { class: 'card', 'aria-label': 'Working memory' });
  const said = h('ol', { class: 'messages', 'aria-label': 'Messages, oldest first' });
  const element = h('div', null, head, h('div', { class: 'columns wide' }, state, h('section', { class: 'card' }, h('h2', null, 'Messages'), said)));
  const shown = new Map();

  async function readRun() {
    const run = await attempt(() => call('POST /v1/swarm/get', { body: { id } }), { place: head, again: refresh });
    if (run === undefined) return undefined;
    fill(
      head,
      h('div', { class: 'detail-head' }, button('← Back', () => { location.hash = '#swarms'; }, { class: 'back' }), h('h2', null, run.swarm), status(run)),
      h('pre', { class: 'content' }, run.task),
      pairs([
        ['run', h('code', null, run.id)],
        ['type', run.type],
        ['participants', run.participants.map(({ name, role }) => [chip(name + (role === 'lead' ? ', lead' : ''), role === 'lead' ? 'warm' : ''), ' '])],
        ['began', time(run.startedAt)],
        ['ended', run.endedAt === null ? null : time(run.endedAt)],
        ['because', run.reason],
        ['models', cost(run.usage)],
        ['result', run.result === null ? null : h('a', { href: '#memory/' + encodeURIComponent(run.result) }, 'open')],
      ]),
    );
    return run;
  }

  async function readState(run) {
    if (run.status !== 'running') return fill(state, h('h2', null, 'Working memory'), h('p', { class: 'small' }, 'It ended with the run; a snapshot is a memory of the lead, if the swarm keeps one.'));
    const answer = await attempt(() => call('POST /v1/state/get', { body: { id } }), { place: state, again: refresh });
    if (answer === undefined) return;
    const { version, updatedAt, value } = answer;
    const after = Math.max(0, version - CHANGES);
    const changes = (await attempt(() => call('POST /v1/state/changes', { body: { id, after, limit: CHANGES } }))) ?? [];
    fill(
      state,
      h('div', { class: 'detail-head' }, h('h2', null, 'Working memory'), chip('version ' + version, 'good'), h('span', { class: 'small' }, ago(updatedAt))),
      h('div', { class: 'tree' }, Object.entries(value ?? {}).map(([key, each]) => tree(each, key))),
      h('h3', null, 'Changes'),
      h('ol', { class: 'changes' }, changes.toReversed().map(change)),
    );
  }

  async function readMessages() {
    for (;;) {
      const after = [...shown.keys()].at(-1);
      const page = await attempt(() => call('POST /v1/swarm/messages', { body: { id, limit: PAGE, ...(after === undefined ? {} : { after }) } }), { place: said, again: refresh });
      if (page === undefined) return;
      for (const each of page) shown.set(each.seq, each);
      if (page.length < PAGE) break;
    }
    fill(said, shown.size === 0 ? h('li', { class: 'small' }, 'Nobody has said anything yet.') : messages([...shown.values()], { to: ({ role, agent }) => (role === agent ? undefined : agent) }));
  }

  async function refresh() {
    const run = await readRun();
    if (run !== undefined) await Promise.all([readState(run), readMessages()]);
  }

  refresh();
  return { element, refresh };
}

export function swarmsPage() {
  let chosen = '';
  let view;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const { element, detail, open } = split({ title: 'Swarms', about: 'Agents that work on one task, and the memory they share meanwhile.', label: 'Run', isSlim: true, finder: body });

  function item(run) {
    return h(
      'li',
      null,
      h(
        'a',
        { class: 'item', 'data-item': true, 'data-id': run.id, href: '#swarms/' + encodeURIComponent(run.id), 'aria-current': run.id === chosen ? 'true' : undefined },
        h('span', { class: 'line' }, run.task),
        meta(status(run), run.swarm, ago(run.startedAt)),
      ),
    );
  }

  async function load() {
    const runs = await attempt(() => call('POST /v1/swarm/list', { body: { limit: PAGE } }), { place: body, again: load });
    if (runs === undefined) return;
    fill(list, runs.map(item));
    fill(body, runs.length === 0 ? empty('No swarm has run yet', 'When several agents work on one task, their shared state and everything they say to each other appears here live.', 'const swarm = client.swarm({ name, agents, lead });\nawait swarm.run("Compare three databases.");') : list);
    if (chosen === '') fill(detail, runs.length > 0 && empty('Choose a run', 'Its working memory and messages are shown as they change.'));
  }

  function draw() {
    open(chosen !== '');
    for (const link of list.querySelectorAll('a')) {
      if (link.dataset.id === chosen) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    view = chosen === '' ? undefined : runView(chosen);
    fill(detail, view?.element);
  }

  let isListStale = false;
  const renew = paced(async () => {
    if (isListStale) await load();
    isListStale = false;
    await view?.refresh();
  }, PAUSE_MS);
  const deaf = onEvent(({ type, run }) => {
    if (!type.startsWith('swarm.')) return;
    isListStale ||= type.startsWith('swarm.run.');
    if (isListStale || run === chosen) renew();
  });
  load();
  return {
    element,
    show: ([id = '']) => { chosen = id; draw(); if (id === '') load(); },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && chosen !== '') {
        location.hash = '#swarms';
        return true;
      }
      return !isTyping && !detail.contains(event.target) && moveInList(list, event);
    },
    leave: () => { deaf(); renew.stop(); },
  };
}
`;
