/** What the memory view is asked for: a question and what narrows it down, with their controls. */
import { knownAgents, knownUsers } from '../agents.ts';
import type { MemoryFilter, StateFilter } from '../api.ts';
import { h } from '../dom/elements.ts';
import { Filters } from '../filters.ts';
import { attempt } from '../parts/attempt.ts';
import { choose, type Option, select } from '../parts/controls.ts';
import type { ListFilter } from './memory-pages.ts';
import { SOURCE_NAMES } from './sources.ts';

/** How long typing must pause before the server is asked. */
const TYPING_MS = 180;
const STATES: readonly Option[] = [['live'], ['expired'], ['forgotten'], ['any', 'any state']];
const NARROWING = ['agent', 'user', 'category', 'source', 'state'] as const;

const kept = new Filters('memory', {
  ...{ q: '', all: '', agent: '', user: '', category: '', source: '', state: 'live' },
});
type Values = typeof kept.values;

/** `changed` is called with a pause while something is typed. */
export function memoryFilters(changed: (pauseMs: number) => void) {
  kept.read();
  const typed = (name: 'q' | 'user' | 'category', attributes: object): HTMLInputElement => {
    const input: HTMLInputElement = h('input', {
      ...{ type: 'search', autocomplete: 'off', value: kept.values[name], ...attributes },
      on: { input: () => set({ [name]: name === 'q' ? input.value : input.value.trim() }, TYPING_MS) },
    });
    return input;
  };
  const search = typed('q', {
    ...{ id: 'search', dir: 'auto', 'aria-label': 'Search memory' },
    placeholder: 'Search memories or ask a question',
  });
  const users = h('datalist', { id: 'known-users' });
  const chosen = <Name extends 'agent' | 'source' | 'state'>(
    label: string,
    name: Name,
    options: readonly Option[],
  ) => select(label, options, kept.values[name], (value) => set({ [name]: value }));
  const controls = {
    q: search,
    agent: chosen('Agent', 'agent', [['', 'all agents']]),
    user: typed('user', { placeholder: 'user', 'aria-label': 'User', list: 'known-users' }),
    category: typed('category', { placeholder: 'category', 'aria-label': 'Category' }),
    source: chosen('Source', 'source', [['', 'all sources'], ...Object.entries(SOURCE_NAMES)]),
    state: chosen('State', 'state', STATES),
  };

  const isSearch = () => kept.values.q.trim() !== '';

  function set(change: Partial<Values>, pauseMs = 0): void {
    // Weaker matches were wanted for the question before.
    kept.set('q' in change ? { all: '', ...change } : change);
    controls.state.disabled = isSearch();
    changed(pauseMs);
  }

  function show(): void {
    for (const [name, control] of Object.entries(controls)) {
      const value = kept.values[name as keyof typeof controls];
      if (control instanceof HTMLSelectElement) choose(control, value);
      else if (control !== document.activeElement) control.value = value;
    }
    controls.state.disabled = isSearch();
  }

  attempt(async () => {
    for (const name of await knownAgents()) {
      const isListed = [...controls.agent.options].some(({ value }) => value === name);
      if (!isListed) controls.agent.append(h('option', { value: name }, name));
    }
    users.append(...(await knownUsers()).map((value) => h('option', { value })));
  });
  show();
  const { q, ...narrowing } = controls;
  return {
    search,
    controls: [
      h('label', { class: 'searchbox' }, q, h('kbd', { 'aria-hidden': 'true' }, '/')),
      h('div', { class: 'filters' }, Object.values(narrowing), users),
    ],
    isSearch,
    question: () => kept.values.q.trim(),
    /** Whether weaker matches are wanted too. */
    isAll: () => kept.values.all !== '',
    setAll: (isAll: boolean) => set({ all: isAll ? 'true' : '' }),
    forSearch: (): MemoryFilter & { readonly all: string } => {
      const { agent, user, category, source, all } = kept.values;
      return { agent, user, category, source, all };
    },
    forList: (): ListFilter => {
      const { agent, user, category, source, state } = kept.values;
      return { agent, user, category, source, state: state as StateFilter };
    },
    /** Whether more than a question narrows the list. */
    isNarrowed: () => kept.isSet(NARROWING),
    /** Takes over what the address says. */
    read: () => {
      if (!kept.read()) return;
      show();
      changed(0);
    },
    clearSearch: () => {
      search.value = '';
      set({ q: '' });
    },
  };
}
