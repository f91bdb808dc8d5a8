/** Browser script: the curated notes of agents, section by section: read, written, and taken away with a way back. */
export const SECTIONS_JS = `
import { call, knownAgents } from './api.js';
import { count, fill, h } from './dom.js';
import { toast } from './toasts.js';
import { attempt, button, empty, moveInList, problem, split } from './widgets.js';

const kept = { agent: '', drafts: new Map() };

export function sectionsPage() {
  let chosen = '';
  let sections = [];
  let isRead = false;
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const names = h('datalist', { id: 'agents' });
  const agent = h('input', { type: 'text', list: 'agents', placeholder: 'agent', 'aria-label': 'Agent', autocomplete: 'off', on: { change: choose } });
  const add = button('New section', () => edit('', ''), { disabled: true });
  const { element, detail, open } = split({
    title: 'Sections',
    about: 'Notes that an agent keeps by topic, in its own file.',
    label: 'Section',
    isSlim: true,
    controls: h('div', { class: 'toolbar' }, agent, names, add),
    finder: body,
  });

  const address = (agent, section) => '#sections/' + encodeURIComponent(agent) + (section === undefined ? '' : '/' + encodeURIComponent(section));

  /** Also one that has sections and nothing else, which no list knows. */
  function choose() {
    const name = agent.value.trim();
    if (name !== '') location.hash = address(name);
  }

  /** With the hash of what was read, only if it still says that. */
  async function save(section, content, ifHash) {
    const { agent } = kept;
    const done = await call('PUT /v1/sections/:section', { agent, params: { section }, body: { content, ...(ifHash === undefined ? {} : { ifHash }) } });
    kept.drafts.delete(agent + '/' + section);
    await load();
    return done;
  }

  async function remove({ section, content }) {
    const { agent } = kept;
    const done = await attempt(() => call('DELETE /v1/sections/:section', { agent, params: { section } }));
    if (done === undefined) return;
    toast('Removed ' + section + '.', { action: { text: 'Undo', run: () => attempt(async () => { await save(section, content); location.hash = address(agent, section); }) } });
    location.hash = address(agent);
    load();
  }

  function edit(section, content, hash) {
    const key = kept.agent + '/' + section;
    const name = h('input', { type: 'text', required: true, placeholder: 'for example user_preferences', value: section, disabled: section !== '' });
    const text = h('textarea', { rows: 14, dir: 'auto', value: kept.drafts.get(key) ?? content, on: { input: () => kept.drafts.set(key, text.value) } });
    const wrong = h('div', null);
    const leave = () => { kept.drafts.delete(key); if (section === '') { open(false); fill(detail, resting()); } else draw(); };
    const submit = async (event) => {
      event.preventDefault();
      try {
        const isTaken = section === '' && sections.some((each) => each.name === name.value.trim());
        if (isTaken) throw new Error('There is a section of that name already. Open it to change it, or choose another name.');
        const done = await save(name.value.trim(), text.value, hash);
        kept.drafts.delete(key);
        toast(done.outcome === 'unchanged' ? 'Nothing was different.' : 'Saved ' + done.section + '.');
        if (chosen === done.section) draw();
        else location.hash = address(kept.agent, done.section);
      } catch (error) {
        if (error.status !== 401) fill(wrong, problem(error));
      }
    };
    const keydown = (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      leave();
    };
    open(true);
    fill(
      detail,
      h(
        'form',
        { class: 'edit', on: { submit, keydown } },
        h('label', null, h('span', null, 'Name'), name),
        h('label', null, h('span', null, 'Content'), text),
        wrong,
        h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'main' }, 'Save'), button('Cancel', leave)),
      ),
    );
    (section === '' ? name : text).focus();
  }

  function resting() {
    return isRead && sections.length > 0 && empty('Choose a section', 'You can read it here, change it, or take it away.');
  }

  async function draw() {
    open(chosen !== '');
    for (const link of list.querySelectorAll('a')) {
      if (link.dataset.name === chosen) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (chosen === '') return fill(detail, resting());
    const section = chosen;
    const read = () => call('GET /v1/sections/:section', { agent: kept.agent, params: { section } });
    const answer = await attempt(read, { place: detail, again: draw });
    if (answer === undefined || chosen !== section) return;
    if (kept.drafts.has(kept.agent + '/' + section)) return edit(section, answer.content, answer.hash);
    fill(
      detail,
      h('div', { class: 'detail-head' }, button('← Back', () => { location.hash = address(kept.agent); }, { class: 'back' }), h('h2', null, answer.section), h('span', { class: 'small' }, count(answer.lines, 'line'))),
      h('pre', { class: 'content tall' }, answer.content),
      h('div', { class: 'actions' }, button('Edit', () => edit(section, answer.content, answer.hash), { class: 'main', 'data-key': 'e', key: 'e' }), button('Remove', () => remove(answer), { class: 'danger' })),
    );
  }

  async function load() {
    if (kept.agent === '') return;
    add.disabled = false;
    const answer = await attempt(() => call('GET /v1/sections', { agent: kept.agent }), { place: body, again: load });
    if (answer === undefined) return;
    isRead = true;
    sections = answer;
    if (sections.length === 0) fill(body, empty('No section yet', kept.agent + ' keeps no notes by topic. It writes them with its memory tools; you can begin one here.', 'keepsake sections save user_preferences "Short answers." --agent ' + kept.agent));
    else {
      fill(list, sections.map(({ name, lines }) => h('li', null, h('a', { class: 'item', 'data-item': true, 'data-name': name, dir: 'auto', href: address(kept.agent, name), 'aria-current': name === chosen ? 'true' : undefined }, h('span', { class: 'line' }, h('b', null, name)), h('span', { class: 'small' }, count(lines, 'line'))))));
      fill(body, list);
    }
    if (chosen === '') fill(detail, resting());
  }

  async function begin() {
    const known = await attempt(knownAgents, { place: body, again: begin });
    if (known === undefined) return;
    kept.agent ||= known[0] ?? '';
    agent.value = kept.agent;
    fill(names, known.map((name) => h('option', { value: name })));
    if (kept.agent === '') return fill(body, empty('No agent yet', 'Sections belong to an agent. Type its name above, or begin one here:', 'keepsake sections save user_preferences "Short answers." --agent my-agent'));
    await load();
    draw();
  }

  let ready;
  return {
    element,
    show: ([agent, section = '']) => {
      const isOther = agent !== undefined && agent !== kept.agent;
      if (agent !== undefined) kept.agent = agent;
      chosen = section;
      if (ready === undefined) ready = begin();
      else ready.then(async () => { if (isOther) await begin(); else draw(); });
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && chosen !== '') {
        location.hash = address(kept.agent);
        return true;
      }
      if (isTyping) return false;
      const pressed = detail.querySelector('button[data-key="' + CSS.escape(event.key) + '"]');
      if (pressed !== null) pressed.click();
      return pressed !== null || moveInList(list, event);
    },
  };
}
`;
