/** Browser script: writes that the guard refused, for a person to let through or delete. */
export const GUARD_JS = `
import { call } from './api.js';
import { fill, h, time } from './dom.js';
import { onEvent } from './feed.js';
import { ask, attempt, button, notice, pairs } from './widgets.js';

const PAGE = 50;

export function guardPage() {
  let before = [];
  let after;
  const state = h('select', { 'aria-label': 'State' }, ['waiting', 'released', 'any'].map((name) => h('option', { value: name }, name)));
  const list = h('ol', { class: 'list' });
  const status = h('p', { class: 'small', role: 'status' });
  const pager = h('div', { class: 'actions' });
  const element = h('section', null, h('div', { class: 'filters' }, state), status, list, pager);

  async function release(entry) {
    const isSure = await ask('Store this text in the memory of ' + entry.agent + '? The guard took it for an attack or a secret.', 'Release');
    if (!isSure) return;
    const done = await attempt(() => call('POST /v1/guard/release', { body: { id: entry.id } }));
    if (done !== undefined) notice('Released as ' + done.releasedAs + '.');
    load();
  }

  async function remove(entry) {
    const isSure = await ask('Delete this refused write? Its text is erased from the disk. This cannot be undone.', 'Delete for good');
    if (!isSure) return;
    const done = await attempt(() => call('POST /v1/guard/delete', { body: { id: entry.id } }));
    if (done !== undefined) notice('Deleted.');
    load();
  }

  function show(entry) {
    return h(
      'li',
      { class: 'card' },
      h('p', null, h('b', null, entry.reasons.join(', ')), ' ', h('span', { class: 'small' }, entry.state)),
      h('pre', { class: 'content' }, entry.content ?? '(released; its memory has the text now)'),
      pairs([
        ['agent', entry.agent],
        ['by', entry.verb + ', ' + entry.via],
        ['origin', entry.origin],
        ['category', entry.category],
        ['session', entry.session],
        ['first tried', time(entry.at)],
        ['tried', entry.times === 1 ? null : entry.times + ' times'],
        ['last tried', entry.times === 1 ? null : time(entry.lastAt)],
        ['released by', entry.releasedBy],
        ['released as', entry.releasedAs],
        ['released', entry.releasedAt === null ? null : time(entry.releasedAt)],
      ]),
      h(
        'div',
        { class: 'actions' },
        entry.state === 'waiting' && button('Release…', () => release(entry)),
        button('Delete…', () => remove(entry), { class: 'danger' }),
      ),
    );
  }

  async function load() {
    const body = { limit: PAGE, state: state.value, ...(after === undefined ? {} : { after }) };
    const entries = await attempt(() => call('POST /v1/guard/list', { body }));
    if (entries === undefined) return;
    const many = entries.length === 1 ? '1 refused write' : entries.length + ' refused writes';
    fill(status, entries.length === 0 ? (state.value === 'waiting' ? 'Nothing waits for a decision.' : 'Nothing is here.') : many + ', newest first');
    fill(list, entries.map(show));
    fill(
      pager,
      before.length > 0 && button('← Newer', () => { after = before.pop(); load(); }),
      entries.length === PAGE && button('Older →', () => { before.push(after); after = entries.at(-1).id; load(); }),
    );
  }

  function restart() {
    before = [];
    after = undefined;
    load();
  }

  state.addEventListener('change', restart);
  // Whoever reads an older page is not disturbed.
  const deaf = onEvent((event) => {
    if (event.type === 'memory.blocked' && before.length === 0) load();
  });
  load();
  return { element, leave: deaf };
}
`;
