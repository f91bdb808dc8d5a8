/** The memory view: search as you type, or the list of all memories, beside the memory that is open. */
import type { AddedMemory, KeepsakeEvent, Memory } from '../api.ts';
import { call } from '../call.ts';
import { goTo } from '../dom/address.ts';
import { fill, h, isInside, markCurrent } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { paced } from '../paced.ts';
import { attempt, problem } from '../parts/attempt.ts';
import { button, pressByKey } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import { toast } from '../parts/toasts.ts';
import type { View } from '../view.ts';
import { memoryDetail } from './memory-detail.ts';
import { memoryFilters } from './memory-filters.ts';
import { MemoryList } from './memory-list.ts';
import { newMemory } from './new-memory.ts';
import { SearchResults } from './search-results.ts';
import { Selection } from './selection.ts';

const RENEW_MS = 300;
/** In the place of an id, the form for a new memory. */
const NEW = 'new';
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};
const LETTER_STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };
/** Events of memory that change no list. */
const SILENT: readonly KeepsakeEvent['type'][] = ['memory.recalled', 'memory.blocked', 'memory.extracted'];

function nothingSelected(): HTMLElement {
  return empty(
    'Select a memory',
    'Shows its text, where it comes from, all its versions, and why a search found it.',
  );
}

function nothingStored(): HTMLElement {
  return empty(
    'No memories yet',
    'Facts, preferences, lessons and session summaries appear here as soon as agents store them. Add one by hand to see how it looks:',
    'keepsake memory add "Prefers short answers." --category preference',
  );
}

function nothingFound(isNarrowed: boolean): HTMLElement {
  const hint = isNarrowed
    ? 'The filters may hide some. Clear them to search everything.'
    : 'Try other words. Search compares words and meaning, and finds live memories only.';
  return empty('No matching memories', hint);
}

export function memoryView(): View {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let open = '';
  let news = 0;
  const isOpen = (id: string) => id === open;
  const filters = memoryFilters(restart);
  const { search, isSearch } = filters;
  const isChosen = (id: string) => selection.has(id);
  const selection = new Selection({
    find: (id) => (isSearch() ? results.get(id) : undefined) ?? list.get(id),
    place: () => element,
    changed,
  });
  const results = new SearchResults({ isOpen, isChosen, again: load, setAll: filters.setAll });
  const list = new MemoryList({
    isOpen,
    isChosen,
    isShown: () => !isSearch(),
    changed: showTotal,
    failed: (error) => {
      fill(status);
      fill(place, problem(error, load));
    },
  });
  const status = h('p', { class: 'small status', role: 'status' });
  const newer = button('', showNews, { class: 'newer', hidden: true });
  const create = button('New memory', () => goTo('memory', NEW), { class: 'quiet' });
  const choose = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.dataset.choose !== undefined) selection.choose(target);
  };
  const place = h('div', { class: 'finder-body', on: { change: choose } }, list.rows.element);
  const { element, detail, setOpen } = split({
    title: 'Memory',
    label: 'Memory',
    controls: filters.controls,
    finder: [
      h('div', { class: 'status-line' }, status, newer, selection.toggle, create),
      selection.bar,
      place,
    ],
    detail: nothingSelected(),
  });

  async function find(): Promise<void> {
    const work = async () => {
      await results.load(filters.question(), filters.forSearch());
      return true;
    };
    const isDone = await attempt(work, { place, again: load });
    if (isDone === true) showResults();
    // Otherwise a newer search has taken over, unless this one failed.
    else if (place.querySelector('.problem') === null) return;
    else fill(status);
    element.removeAttribute('aria-busy');
  }

  function showResults(): void {
    results.draw();
    fill(status, results.status());
    const found = results.size === 0 ? nothingFound(filters.isNarrowed()) : results.element;
    fill(place, results.notices(), found, results.further());
  }

  function showTotal(): void {
    const { total, isCounted } = list;
    const noun = total === 1 ? 'memory' : 'memories';
    fill(status, total > 0 && `${count(total)}${isCounted ? '' : '+'} ${noun}, newest first`);
    if (total > 0) return;
    const nothing = filters.isNarrowed()
      ? empty('No memories match these filters', 'Change or clear the filters above.')
      : nothingStored();
    fill(place, nothing);
  }

  async function readAll(): Promise<void> {
    if (!(await list.read(filters.forList()))) return;
    news = 0;
    newer.hidden = true;
    if (list.rows.element.parentElement !== place) fill(place, list.rows.element);
    const counted = list.draw();
    element.removeAttribute('aria-busy');
    await counted;
  }

  function load(): Promise<void> {
    clearTimeout(timer);
    newer.hidden ||= isSearch();
    element.setAttribute('aria-busy', 'true');
    return isSearch() ? find() : readAll();
  }

  function restart(pauseMs = 0): void {
    clearTimeout(timer);
    timer = setTimeout(load, pauseMs);
  }

  function showNews(): void {
    list.rows.toTop();
    restart();
  }

  /** A change in the detail is shown in the list at once. */
  function changed(id: string, memory?: Memory): void {
    if (memory === undefined) {
      results.remove(id);
      if (!isSearch()) restart();
      return;
    }
    results.replace(memory);
    list.replace(memory);
    if (!isSearch()) list.rows.refresh();
  }

  function closeDetail(before: string): void {
    const wasInside = detail.contains(document.activeElement) || document.activeElement === document.body;
    fill(detail, nothingSelected());
    // Back to the link that opened it.
    const link = element.querySelector<HTMLElement>(`[data-id="${CSS.escape(before)}"]`);
    if (wasInside) link?.focus({ preventScroll: true });
  }

  async function show(id: string): Promise<void> {
    const before = open;
    open = id;
    markCurrent(element.querySelectorAll<HTMLElement>('a[data-id]'), ({ dataset }) => dataset.id === id);
    setOpen(id !== '');
    if (id === '') return closeDetail(before);
    if (id === NEW) return showForm();
    const known = (isSearch() ? results.get(id) : undefined) ?? list.get(id);
    const read = () => call('GET /v1/memory/:id', { params: { id }, query: { peek: 'true' } });
    const memory = known ?? (await attempt(read, { place: detail, again: () => show(id) }));
    if (open !== id || memory === undefined) return;
    fill(detail, memoryDetail(memory, { changed, close: () => goTo('memory') }));
    detail.scrollTop = 0;
  }

  function showForm(): void {
    const { agent, user } = filters.forList();
    const stored = ({ id, outcome }: AddedMemory) => {
      toast(outcome === 'added' ? 'Stored.' : 'This was stored already; it is shown here.');
      goTo('memory', id);
    };
    fill(detail, newMemory({ agent, user, stored, cancel: () => goTo('memory') }));
    detail.querySelector('textarea')?.focus();
  }

  function move(event: KeyboardEvent, step: number): boolean {
    if (isSearch()) return moveInList(results.element, event, search);
    const at = list.rows.focused();
    if (at === 0 && step < 0) search.focus();
    else list.rows.focus(at < 0 ? 0 : at + step);
    return true;
  }

  function goBack(event: KeyboardEvent, isTyping: boolean): true {
    if (open !== '') goTo('memory');
    else if (search.value !== '') filters.clearSearch();
    else if (isTyping && event.target instanceof HTMLElement) event.target.blur();
    return true;
  }

  function key(event: KeyboardEvent, isTyping: boolean): boolean {
    const step = STEPS[event.key] ?? (isTyping ? undefined : LETTER_STEPS[event.key]);
    const isForList = isTyping
      ? event.target === search && event.key === 'ArrowDown'
      : !isInside(detail, event);
    if (step !== undefined && isForList) return move(event, step);
    if (event.key === 'Escape') return goBack(event, isTyping);
    if (event.key === 'n' && !isTyping) {
      goTo('memory', NEW);
      return true;
    }
    return !isTyping && open !== '' && pressByKey(detail, event);
  }

  const isFollowing = () => !isSearch() && list.rows.isAtTop();
  const renew = paced(async () => {
    if (isFollowing()) await readAll();
  }, RENEW_MS);
  const unsubscribe = onEvent(({ type }) => {
    if (!type.startsWith('memory.') || SILENT.includes(type)) return;
    // Search results, and a list that was scrolled down, stay as they are: a button offers the changes.
    if (isFollowing()) renew();
    news++;
    fill(newer, `Show ${count(news, 'new change')}`);
    newer.hidden = isFollowing();
  });
  load();
  return {
    element,
    show: ([id = '']) => {
      filters.read();
      show(id);
    },
    key,
    leave: () => {
      unsubscribe();
      renew.stop();
      clearTimeout(timer);
      results.stop();
      list.leave();
    },
  };
}
