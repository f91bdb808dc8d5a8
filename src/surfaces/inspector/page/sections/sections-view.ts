/** The curated notes of agents, section by section: read, written, and removed with a way to undo. */
import { knownAgents } from '../agents.ts';
import type { Answer, SectionSummary, SectionText } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { type Child, fill, h, markCurrent } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton, button, pressByKey } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import { toast } from '../parts/toasts.ts';
import type { View } from '../view.ts';
import { dropDraft, hasDraft, sectionForm } from './section-form.ts';

/** Kept while another view is shown. */
const kept = { agent: '' };

const draftKey = (section: string) => `${kept.agent}/${section}`;
const example = (agent: string) =>
  `keepsake sections save user_preferences "Short answers." --agent ${agent}`;

export function sectionsView(): View {
  let selected = '';
  let sections: readonly SectionSummary[] = [];
  let isRead = false;
  let ready: Promise<void> | undefined;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const names = h('datalist', { id: 'agents' });
  const agentInput = h('input', {
    type: 'text',
    list: 'agents',
    placeholder: 'agent',
    'aria-label': 'Agent',
    autocomplete: 'off',
    on: { change: chooseAgent },
  });
  const add = button('New section', () => edit({ section: '', content: '' }), { disabled: true });
  const { element, detail, setOpen } = split({
    title: 'Sections',
    about: 'Notes that an agent keeps by topic, in its own file.',
    label: 'Section',
    isSlim: true,
    controls: h('div', { class: 'toolbar' }, agentInput, names, add),
    finder: body,
  });

  /** An agent that has sections and nothing else is on no list, but its name can be typed. */
  function chooseAgent(): void {
    const name = agentInput.value.trim();
    if (name !== '') goTo('sections', name);
  }

  /** With the hash of what was read, saves only if the section still says that. */
  async function save(
    section: string,
    content: string,
    ifHash?: string,
  ): Promise<Answer<'PUT /v1/sections/:section'>> {
    const { agent } = kept;
    const body = { content, ifHash };
    const saved = await call('PUT /v1/sections/:section', { agent, params: { section }, body });
    dropDraft(draftKey(section));
    await load();
    return saved;
  }

  async function remove({ section, content }: SectionText): Promise<void> {
    const { agent } = kept;
    const given = { agent, params: { section } };
    const removed = await attempt(() => call('DELETE /v1/sections/:section', given));
    if (removed === undefined) return;
    const undo = async () => {
      await save(section, content);
      goTo('sections', agent, section);
    };
    toast(`Removed ${section}.`, { action: { text: 'Undo', run: () => attempt(undo) } });
    goTo('sections', agent);
    load();
  }

  function edit({
    section,
    content,
    hash,
  }: Pick<SectionText, 'section' | 'content'> & { hash?: string }): void {
    const saveAs = async (name: string, text: string) => {
      if (section === '' && sections.some((each) => each.name === name)) {
        throw new Error(
          'A section with this name already exists. Open it to edit it, or choose another name.',
        );
      }
      const saved = await save(name, text, hash);
      dropDraft(draftKey(section));
      toast(saved.outcome === 'unchanged' ? 'Nothing changed.' : `Saved ${saved.section}.`);
      if (selected === saved.section) draw();
      else goTo('sections', kept.agent, saved.section);
    };
    const cancel = () => {
      if (section !== '') return draw();
      setOpen(false);
      fill(detail, nothingSelected());
    };
    const form = sectionForm({ draftKey: draftKey(section), name: section, content, save: saveAs, cancel });
    setOpen(true);
    fill(detail, form.form);
    form.focus();
  }

  function nothingSelected(): Child {
    return isRead && sections.length > 0 && empty('Select a section', 'Read, edit or remove it here.');
  }

  function show(section: SectionText): void {
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('sections', kept.agent)),
        h('h2', null, section.section),
        h('span', { class: 'small' }, count(section.lines, 'line')),
      ),
      h('pre', { class: 'content tall' }, section.content),
      h(
        'div',
        { class: 'actions' },
        button('Edit', () => edit(section), { class: 'main', 'data-key': 'e', key: 'e' }),
        button('Remove', () => remove(section), { class: 'danger' }),
      ),
    );
  }

  async function draw(): Promise<void> {
    setOpen(selected !== '');
    markCurrent(list.querySelectorAll('a'), ({ dataset }) => dataset.name === selected);
    if (selected === '') return fill(detail, nothingSelected());
    const section = selected;
    const read = () => call('GET /v1/sections/:section', { agent: kept.agent, params: { section } });
    const found = await attempt(read, { place: detail, again: draw });
    if (found === undefined || selected !== section) return;
    if (hasDraft(draftKey(section))) edit({ ...found, section });
    else show(found);
  }

  function item({ name, lines }: SectionSummary): HTMLElement {
    const attributes = {
      class: 'item',
      'data-item': true,
      'data-name': name,
      dir: 'auto',
      href: address('sections', kept.agent, name),
      'aria-current': name === selected ? 'true' : undefined,
    };
    const title = h('span', { class: 'line' }, h('b', null, name));
    return h('li', null, h('a', attributes, title, h('span', { class: 'small' }, count(lines, 'line'))));
  }

  async function load(): Promise<void> {
    const { agent } = kept;
    if (agent === '') return;
    add.disabled = false;
    const found = await attempt(() => call('GET /v1/sections', { agent }), { place: body, again: load });
    if (found === undefined) return;
    isRead = true;
    sections = found;
    if (sections.length === 0) {
      const about = `${agent} has no sections. It writes them with its memory tools, or you can add one here.`;
      fill(body, empty('No sections yet', about, example(agent)));
    } else {
      fill(list, sections.map(item));
      fill(body, list);
    }
    if (selected === '') fill(detail, nothingSelected());
  }

  async function begin(): Promise<void> {
    const known = await attempt(knownAgents, { place: body, again: begin });
    if (known === undefined) return;
    kept.agent ||= known[0] ?? '';
    agentInput.value = kept.agent;
    fill(
      names,
      known.map((name) => h('option', { value: name })),
    );
    if (kept.agent === '') {
      const about = 'Sections belong to an agent. Type its name above, or add one from the command line:';
      return fill(body, empty('No agents yet', about, example('my-agent')));
    }
    await load();
    draw();
  }

  return {
    element,
    show: ([agent, section = '']) => {
      const isOther = agent !== undefined && agent !== kept.agent;
      if (agent !== undefined) kept.agent = agent;
      selected = section;
      if (ready === undefined) ready = begin();
      else ready.then(() => (isOther ? begin() : draw()));
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && selected !== '') {
        goTo('sections', kept.agent);
        return true;
      }
      if (isTyping) return false;
      return pressByKey(detail, event) || moveInList(list, event);
    },
  };
}
