/** Browser script: search as you type, or the list of what is there, a page at a time so that any number of memories fits. */
export const MEMORY_JS = `
import { call } from './api.js';
import { excerpt, fill, h, time } from './dom.js';
import { onEvent } from './feed.js';
import { memoryDetail } from './memory-detail.js';
import { attempt, button, factorBars } from './widgets.js';

const PAUSE_MS = 180;
const PAGE = 50;
const SOURCES = ['manual', 'extracted', 'task_completion', 'session_summary', 'file_index', 'knowledge', 'swarm_result'];
const STATES = ['live', 'expired', 'forgotten', 'any'];
/** Survives a change of tab. */
const kept = { query: '', agent: '', category: '', source: '', state: 'live' };

function row(memory, isOpen) {
  const isHit = memory.relevance !== undefined;
  return h(
    'li',
    null,
    h(
      'a',
      { href: '#memory/' + encodeURIComponent(memory.id), class: 'memory', 'data-id': memory.id, 'aria-current': isOpen ? 'true' : undefined },
      h('span', { class: 'line' }, memory.state === 'forgotten' ? '(forgotten)' : excerpt(memory.content)),
      h(
        'span',
        { class: 'small' },
        memory.pinned && h('b', null, 'pinned '),
        memory.state !== 'live' && h('b', null, memory.state + ' '),
        [memory.agent, memory.category, memory.source].join(' · ') + ' · ',
        time(memory.updatedAt),
      ),
      isHit && h('span', { class: 'small' }, memory.explain),
      isHit && factorBars(memory),
    ),
  );
}

function choice(name, options, label) {
  return h('select', { 'aria-label': label, 'data-filter': name }, options.map(([value, text]) => h('option', { value, selected: kept[name] === value }, text)));
}

export function memoryPage() {
  let found = new Map();
  let before = [];
  let after;
  let asking;
  let timer;
  let open = '';
  const search = h('input', { id: 'search', type: 'search', placeholder: 'Ask memory something', 'aria-label': 'Search memory', autocomplete: 'off', value: kept.query });
  const agent = choice('agent', [['', 'all agents']], 'Agent');
  const category = h('input', { type: 'text', placeholder: 'category', 'aria-label': 'Category', value: kept.category, 'data-filter': 'category' });
  const source = choice('source', [['', 'all sources'], ...SOURCES.map((name) => [name, name])], 'Source');
  const state = choice('state', STATES.map((name) => [name, name === 'any' ? 'any state' : name]), 'State');
  const list = h('ol', { class: 'list' });
  const status = h('p', { class: 'small', role: 'status' });
  const pager = h('div', { class: 'actions' });
  const detail = h('section', { class: 'card detail', 'aria-label': 'Memory', hidden: true });
  const element = h(
    'div',
    { class: 'split' },
    h('section', { class: 'finder' }, search, h('div', { class: 'filters' }, agent, category, source, state), status, list, pager),
    detail,
  );

  function linkOf(id) {
    return list.querySelector('[data-id="' + CSS.escape(id) + '"]');
  }

  function filters() {
    return { agent: agent.value, category: category.value.trim(), source: source.value };
  }

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const query = search.value.trim();
    if (query !== '') return call('GET /v1/memory/search', { query: { q: query, limit: 25, ...filters() }, signal });
    return call('GET /v1/memory', { query: { limit: PAGE, state: state.value, after, ...filters() }, signal });
  }

  async function load() {
    clearTimeout(timer);
    const isSearch = search.value.trim() !== '';
    Object.assign(kept, filters(), { query: search.value, state: state.value });
    state.disabled = isSearch;
    element.setAttribute('aria-busy', 'true');
    const answer = await attempt(ask);
    if (answer === undefined) return;
    element.removeAttribute('aria-busy');
    found = new Map(answer.map((memory) => [memory.id, memory]));
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    fill(list, answer.map((memory) => row(memory, memory.id === open)));
    if (focused !== undefined) linkOf(focused)?.focus();
    const many = answer.length === 1 ? '1 memory' : answer.length + ' memories';
    const none = isSearch ? 'Nothing in memory answers that.' : 'Nothing is here.';
    fill(status, answer.length === 0 ? none : isSearch ? many + ', best first' : many + ', newest first, page ' + (before.length + 1));
    const next = !isSearch && answer.length === PAGE;
    fill(
      pager,
      !isSearch && before.length > 0 && button('← Newer', () => { after = before.pop(); load(); }),
      next && button('Older →', () => { before.push(after); after = answer.at(-1).id; load(); }),
    );
  }

  function restart() {
    before = [];
    after = undefined;
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE_MS);
  }

  /** A change by the detail is shown in the list at once. */
  function changed(memory, id) {
    if (memory === undefined) found.delete(id);
    else found.set(id, { ...found.get(id), ...memory });
    const link = linkOf(id);
    if (memory === undefined) link?.parentElement.remove();
    else link?.parentElement.replaceWith(row(found.get(id), id === open));
  }

  async function show(id) {
    open = id;
    for (const link of list.querySelectorAll('a')) {
      if (link.dataset.id === id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    element.classList.toggle('is-open', id !== '');
    detail.hidden = id === '';
    if (id === '') return fill(detail);
    // What is listed is known already; asking for it would count as an access and change its place.
    const memory = found.get(id) ?? (await attempt(() => call('GET /v1/memory/:id', { params: { id } })));
    if (open !== id) return;
    if (memory === undefined) {
      location.hash = '#memory';
      return;
    }
    fill(detail, memoryDetail(memory, { changed, close: () => { location.hash = '#memory'; } }));
  }

  function move(step) {
    const links = [...list.querySelectorAll('a')];
    if (links.length === 0) return;
    const at = links.indexOf(document.activeElement);
    if (at === 0 && step < 0) return search.focus();
    const to = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))];
    to.focus();
    to.scrollIntoView({ block: 'nearest' });
  }

  function key(event, isTyping) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isOurs = !isTyping || event.target === search;
    if (step !== undefined && isOurs && !detail.contains(event.target)) {
      if (event.target !== search || step > 0) move(step);
      return true;
    }
    if (event.key !== 'Escape') return false;
    if (open !== '') location.hash = '#memory';
    else if (search.value !== '') {
      search.value = '';
      restart();
    } else if (isTyping) event.target.blur();
    return true;
  }

  search.addEventListener('input', restart);
  category.addEventListener('input', restart);
  for (const select of [agent, source, state]) select.addEventListener('change', restart);
  const deaf = onEvent((event) => {
    // What somebody else changed is read anew when it is opened.
    const isOlder = (found.get(event.id)?.version ?? Infinity) < (event.version ?? Infinity);
    if (event.type === 'memory.forgotten' || (event.type === 'memory.wrote' && isOlder)) found.delete(event.id);
    // The first page follows what happens; whoever reads an older one, or a search, is not disturbed.
    if (event.type.startsWith('memory.') && event.type !== 'memory.recalled' && before.length === 0 && search.value.trim() === '') restart();
  });
  attempt(async () => {
    const agents = await call('GET /v1/agents');
    agent.append(...agents.map(({ name }) => h('option', { value: name, selected: kept.agent === name }, name)));
  }).then(load);
  return { element, show, key, leave: () => { deaf(); clearTimeout(timer); asking?.abort(); } };
}
`;
