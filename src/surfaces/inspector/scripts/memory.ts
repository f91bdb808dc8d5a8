/** Browser script: search as you type, or the list of all memories, of which only the rows in sight exist. */
export const MEMORY_JS = `
import { call, knownAgents } from './api.js';
import { count, fill, h } from './dom.js';
import { onEvent } from './feed.js';
import { memoryDetail } from './memory-detail.js';
import { MemoryPages } from './memory-pages.js';
import { hit, row } from './memory-row.js';
import { paced } from './paced.js';
import { virtualList } from './virtual-list.js';
import { attempt, empty, moveInList, problem, select, split } from './widgets.js';

const PAUSE_MS = 180;
const RENEW_MS = 300;
const MOST_HITS = 25;
const ROW_HEIGHT = 68;
const SOURCES = ['manual', 'extracted', 'task_completion', 'session_summary', 'file_index', 'knowledge', 'swarm_result'];
const STATES = [['live'], ['expired'], ['forgotten'], ['any', 'any state']];
/** Survives a change of page. */
const kept = { query: '', agent: '', category: '', source: '', state: 'live' };

const NOTHING_YET = [
  'Nothing is remembered yet',
  'What agents learn appears here at once: facts, preferences, lessons, summaries of sessions. Store a first memory by hand to see how it looks.',
  'keepsake memory add "Prefers short answers." --category preference',
];

export function memoryPage() {
  let pages = new MemoryPages(filters());
  let found = new Map();
  let asking;
  let timer;
  let open = '';
  let news = 0;
  const search = h('input', { id: 'search', type: 'search', dir: 'auto', placeholder: 'Ask memory something', 'aria-label': 'Search memory', autocomplete: 'off', value: kept.query });
  const agents = select('Agent', [['', 'all agents']], kept.agent, (value) => choose('agent', value));
  const category = h('input', { type: 'search', placeholder: 'category', 'aria-label': 'Category', value: kept.category, on: { input: () => choose('category', category.value.trim()) } });
  const source = select('Source', [['', 'all sources'], ...SOURCES.map((name) => [name, name.replaceAll('_', ' ')])], kept.source, (value) => choose('source', value));
  const state = select('State', STATES, kept.state, (value) => choose('state', value));
  const status = h('p', { class: 'small status', role: 'status' });
  const newer = h('button', { type: 'button', class: 'newer', hidden: true, on: { click: () => { list.toTop(); restart(); } } });
  const list = virtualList({
    rowHeight: ROW_HEIGHT,
    label: 'Memories, newest first',
    render: (i) => row(pages.at(i), pages.at(i)?.id === open),
    inSight: (first, last) => pages.want(first, last),
  });
  const hits = h('ol', { class: 'list hits', 'aria-label': 'Memories, best first' });
  const place = h('div', { class: 'finder-body' }, list.element);
  const { element, detail, open: opened } = split({
    title: 'Memory',
    label: 'Memory',
    controls: [h('label', { class: 'searchbox' }, search, h('kbd', { 'aria-hidden': 'true' }, '/')), h('div', { class: 'filters' }, agents, category, source, state)],
    finder: [h('div', { class: 'status-line' }, status, newer), place],
    detail: resting(),
  });
  search.addEventListener('input', () => { kept.query = search.value; restart(PAUSE_MS); });

  function filters() {
    const { agent, category, source, state } = kept;
    return { agent, category, source, state };
  }

  function resting() {
    return empty('Choose a memory', 'Its text, where it comes from, every version it had, and why a search found it stand here.');
  }

  function choose(name, value) {
    kept[name] = value;
    restart(name === 'category' ? PAUSE_MS : 0);
  }

  const isSearch = () => kept.query.trim() !== '';
  const isFiltered = () => kept.agent !== '' || kept.category !== '' || kept.source !== '' || kept.state !== 'live';

  async function find() {
    asking?.abort();
    asking = new AbortController();
    const { state: _, ...wanted } = filters();
    const query = { q: kept.query.trim(), limit: MOST_HITS, ...wanted };
    const answer = await attempt(() => call('GET /v1/memory/search', { query, signal: asking.signal }), { place, again: load });
    if (answer === undefined) {
      // Of another question; only where this one failed is there nothing to count.
      if (place.querySelector('.problem') !== null) {
        fill(status);
        element.removeAttribute('aria-busy');
      }
      return;
    }
    found = new Map(answer.map((memory) => [memory.id, memory]));
    const focused = hits.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    fill(hits, answer.map((memory) => hit(memory, memory.id === open, kept.query)));
    fill(status, answer.length === 0 ? '' : count(answer.length, 'memory', 'memories') + ', best first');
    fill(place, answer.length === 0 ? empty('Nothing in memory answers that', isFiltered() ? 'Perhaps a filter hides it; try all agents and sources.' : 'Other words may find it: search looks for words and for meaning, in what is live.') : hits);
    if (focused !== undefined) hits.querySelector('[data-id="' + CSS.escape(focused) + '"]')?.focus();
    element.removeAttribute('aria-busy');
  }

  function showTotal() {
    const many = count(pages.total) + (pages.isCounted ? '' : '+');
    fill(status, pages.total === 0 ? '' : many + (pages.total === 1 ? ' memory' : ' memories') + ', newest first');
    if (pages.total > 0) return;
    fill(place, isFiltered() ? empty('Nothing fits these filters', 'Memories are there, or were; the filters above leave none of them.') : empty(...NOTHING_YET));
  }

  /** The next reading takes the place of the one before when its first page is there, so that nothing flickers. */
  async function readAll() {
    const fresh = new MemoryPages(filters());
    fresh.onProblem = (error) => { if (!isSearch()) { fill(status); fill(place, problem(error, load)); } };
    await fresh.open();
    if (isSearch()) return fresh.close();
    pages.close();
    pages = fresh;
    news = 0;
    newer.hidden = true;
    const drawAll = () => {
      if (isSearch()) return;
      list.setTotal(pages.total);
      showTotal();
    };
    pages.onChange = drawAll;
    if (list.element.parentElement !== place) fill(place, list.element);
    drawAll();
    element.removeAttribute('aria-busy');
    await pages.counted;
  }

  function load() {
    clearTimeout(timer);
    state.disabled = isSearch();
    newer.hidden = newer.hidden || isSearch();
    element.setAttribute('aria-busy', 'true');
    return isSearch() ? find() : readAll();
  }

  function restart(pause = 0) {
    clearTimeout(timer);
    timer = setTimeout(load, pause);
  }

  const known = (id) => (isSearch() ? found.get(id) : undefined) ?? pages.find(id);

  /** A change by the detail is shown in the list at once. */
  function changed(memory, id) {
    if (memory === undefined) {
      found.delete(id);
      hits.querySelector('[data-id="' + CSS.escape(id) + '"]')?.parentElement.remove();
      if (!isSearch()) restart();
      return;
    }
    if (found.has(id)) found.set(id, { ...found.get(id), ...memory });
    hits.querySelector('[data-id="' + CSS.escape(id) + '"]')?.parentElement.replaceWith(hit(found.get(id), id === open, kept.query));
    pages.replace(memory);
    if (!isSearch()) list.refresh();
  }

  async function show([id = '']) {
    const before = open;
    open = id;
    for (const link of element.querySelectorAll('a[data-id]')) {
      if (link.dataset.id === id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    opened(id !== '');
    if (id === '') {
      const wasInside = detail.contains(document.activeElement) || document.activeElement === document.body;
      fill(detail, resting());
      // Back to where one came from.
      if (wasInside) element.querySelector('[data-id="' + CSS.escape(before) + '"]')?.focus({ preventScroll: true });
      return;
    }
    const close = () => { location.hash = '#memory'; };
    // What is listed is known already; asking for it would count as an access and change its place.
    const read = () => call('GET /v1/memory/:id', { params: { id } });
    const memory = known(id) ?? (await attempt(read, { place: detail, again: () => show([id]) }));
    if (open !== id || memory === undefined) return;
    fill(detail, memoryDetail(memory, { changed, close }));
    detail.scrollTop = 0;
  }

  function move(event, step) {
    if (isSearch()) return moveInList(hits, event, search);
    const at = list.focused();
    if (at === 0 && step < 0) search.focus();
    else list.focus(at < 0 ? 0 : at + step);
    return true;
  }

  function key(event, isTyping) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity, ...(isTyping ? {} : { j: 1, k: -1 }) };
    const step = steps[event.key];
    const isOurs = isTyping ? event.target === search && event.key === 'ArrowDown' : !detail.contains(event.target);
    if (step !== undefined && isOurs) return move(event, step);
    if (event.key === 'Escape') {
      if (open !== '') location.hash = '#memory';
      else if (search.value !== '') {
        search.value = '';
        kept.query = '';
        restart();
      } else if (isTyping) event.target.blur();
      return true;
    }
    if (isTyping || open === '') return false;
    const pressed = detail.querySelector('button[data-key="' + CSS.escape(event.key) + '"]');
    pressed?.click();
    return pressed !== null;
  }

  const renew = paced(async () => {
    if (!isSearch() && list.isAtTop()) await readAll();
  }, RENEW_MS);
  const deaf = onEvent((event) => {
    if (!event.type.startsWith('memory.') || ['memory.recalled', 'memory.blocked', 'memory.extracted'].includes(event.type)) return;
    // Whoever reads further down, or a search, is told and not disturbed.
    if (!isSearch() && list.isAtTop()) renew();
    news++;
    fill(newer, count(news, 'change') + ' since. Show');
    newer.hidden = !isSearch() && list.isAtTop();
  });
  attempt(async () => {
    for (const name of await knownAgents()) agents.append(h('option', { value: name, selected: kept.agent === name }, name));
  });
  load();
  return { element, show, key, leave: () => { deaf(); renew.stop(); clearTimeout(timer); asking?.abort(); pages.close(); list.leave(); } };
}
`;
