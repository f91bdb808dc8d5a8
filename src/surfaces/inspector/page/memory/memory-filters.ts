/** What the memory view is asked for: a question, an agent, a category, a source and a state, with their controls. */
import type { Source } from '../../../../kernel/record.ts';
import { knownAgents } from '../agents.ts';
import type { MemoryFilter, StateFilter } from '../api.ts';
import { h } from '../dom/elements.ts';
import { attempt } from '../parts/attempt.ts';
import { type Option, select } from '../parts/controls.ts';
import type { ListFilter } from './memory-pages.ts';

/** How long typing must pause before the server is asked. */
const TYPING_MS = 180;
/** All of them: one that the kernel adds and that is missing here does not compile. */
const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  manual: 'manual',
  extracted: 'extracted',
  task_completion: 'task completion',
  session_summary: 'session summary',
  file_index: 'file index',
  knowledge: 'knowledge',
  swarm_result: 'swarm result',
};
const STATES: readonly Option[] = [['live'], ['expired'], ['forgotten'], ['any', 'any state']];

/** Kept while another view is shown. */
const kept = { query: '', agent: '', category: '', source: '', state: 'live' as StateFilter };

/** `changed` is called with a pause while something is typed. */
export function memoryFilters(changed: (pauseMs: number) => void) {
  const search: HTMLInputElement = h('input', {
    id: 'search',
    type: 'search',
    dir: 'auto',
    placeholder: 'Search memories or ask a question',
    'aria-label': 'Search memory',
    autocomplete: 'off',
    value: kept.query,
    on: { input: () => choose({ query: search.value }, TYPING_MS) },
  });
  const agents = select('Agent', [['', 'all agents']], kept.agent, (agent) => choose({ agent }));
  const category: HTMLInputElement = h('input', {
    type: 'search',
    placeholder: 'category',
    'aria-label': 'Category',
    value: kept.category,
    on: { input: () => choose({ category: category.value.trim() }, TYPING_MS) },
  });
  const sources: readonly Option[] = [['', 'all sources'], ...Object.entries(SOURCE_NAMES)];
  const source = select('Source', sources, kept.source, (value) => choose({ source: value }));
  const state = select('State', STATES, kept.state, (value) => choose({ state: value as StateFilter }));

  function choose(change: Partial<typeof kept>, pauseMs = 0): void {
    Object.assign(kept, change);
    state.disabled = isSearch();
    changed(pauseMs);
  }

  const isSearch = () => kept.query.trim() !== '';

  attempt(async () => {
    for (const name of await knownAgents()) {
      agents.append(h('option', { value: name, selected: kept.agent === name }, name));
    }
  });
  state.disabled = isSearch();
  return {
    search,
    controls: [
      h('label', { class: 'searchbox' }, search, h('kbd', { 'aria-hidden': 'true' }, '/')),
      h('div', { class: 'filters' }, agents, category, source, state),
    ],
    isSearch,
    question: () => kept.query.trim(),
    forSearch: (): MemoryFilter => ({ agent: kept.agent, category: kept.category, source: kept.source }),
    forList: (): ListFilter => {
      const { query: _, ...filter } = kept;
      return filter;
    },
    /** Whether more than a question narrows the list. */
    isNarrowed: () =>
      kept.agent !== '' || kept.category !== '' || kept.source !== '' || kept.state !== 'live',
    clearSearch: () => {
      search.value = '';
      choose({ query: '' });
    },
  };
}
