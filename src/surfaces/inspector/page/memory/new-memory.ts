/** The form that stores a new memory. What was typed stays until it is stored or cancelled. */
import { knownAgents } from '../agents.ts';
import type { AddedMemory } from '../api.ts';
import { call, isExpected } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { attempt, problem } from '../parts/attempt.ts';
import { backButton, button, select } from '../parts/controls.ts';

const CATEGORIES = ['fact', 'preference', 'instruction', 'relationship', 'skill_observation'];
const draft = { content: '', category: 'fact', tags: '', agent: '', user: '', scope: 'agent' };

const labelled = (name: string, input: HTMLElement) => h('label', null, h('span', null, name), input);
const options = (values: readonly string[]) => values.map((value) => h('option', { value }));

interface NewMemoryOptions {
  /** The agent and user that the list is narrowed to. */
  readonly agent: string;
  readonly user: string;
  readonly stored: (memory: AddedMemory) => void;
  readonly cancel: () => void;
}

export function newMemory({ agent, user, stored, cancel }: NewMemoryOptions): HTMLElement {
  draft.agent ||= agent;
  draft.user ||= user;
  const typed = (name: keyof typeof draft, attributes: object): HTMLInputElement => {
    const input: HTMLInputElement = h('input', {
      ...{ type: 'text', autocomplete: 'off', value: draft[name], ...attributes },
      on: { input: () => Object.assign(draft, { [name]: input.value }) },
    });
    return input;
  };
  const content: HTMLTextAreaElement = h('textarea', {
    ...{ rows: 6, dir: 'auto', required: true, value: draft.content },
    placeholder: 'One fact, preference or instruction, in a sentence',
    on: {
      input: () => {
        draft.content = content.value;
      },
    },
  });
  const agents = h('datalist', { id: 'agents-to-write-for' });
  const agentInput = typed('agent', { required: true, list: 'agents-to-write-for' });
  const visible = select(
    'Visible to',
    [
      ['agent', 'this agent only'],
      ['swarm', 'all agents'],
    ],
    draft.scope,
    (scope) => Object.assign(draft, { scope }),
  );
  const errorPlace = h('div', null);
  const send = h('button', { type: 'submit', class: 'main' }, 'Store');
  attempt(async () => agents.append(...options(await knownAgents())));

  function leave(): void {
    Object.assign(draft, { content: '', category: 'fact', tags: '', agent: '', user: '', scope: 'agent' });
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    send.disabled = true;
    fill(errorPlace);
    const tags = draft.tags.split(',').map((tag) => tag.trim());
    const body = {
      ...{ content: draft.content, category: draft.category.trim(), scope: draft.scope },
      tags: tags.filter((tag) => tag !== ''),
    };
    const user = draft.user.trim() || undefined;
    try {
      const memory = await call('POST /v1/memory/add', { body, agent: draft.agent.trim(), user });
      leave();
      stored(memory);
    } catch (error) {
      if (!isExpected(error)) fill(errorPlace, problem(error));
    }
    send.disabled = false;
  }

  function keydown(event: KeyboardEvent): void {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!saves) return;
    event.preventDefault();
    form.requestSubmit();
  }

  const close = () => {
    leave();
    cancel();
  };
  const form = h(
    'form',
    { class: 'edit', 'aria-label': 'New memory', on: { submit, keydown } },
    labelled('Content', content),
    h(
      'div',
      { class: 'columns' },
      labelled('Agent', agentInput),
      labelled('About the user (optional)', typed('user', {})),
      labelled('Category', typed('category', { required: true, list: 'usual-categories' })),
      labelled('Tags', typed('tags', { placeholder: 'separated by commas' })),
      labelled('Visible to', visible),
    ),
    agents,
    h('datalist', { id: 'usual-categories' }, options(CATEGORIES)),
    errorPlace,
    h('div', { class: 'actions' }, send, button('Cancel', close)),
  );
  return h(
    'article',
    null,
    h('div', { class: 'detail-head' }, backButton(cancel), h('h2', null, 'New memory')),
    form,
  );
}
