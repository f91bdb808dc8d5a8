/** Browser script: writes that the guard refused, for a person to let through or delete. */
export const GUARD_JS = `
import { call, request } from './api.js';
import { ago, count, fill, h, time } from './dom.js';
import { onEvent } from './feed.js';
import { afterGrace, toast } from './toasts.js';
import { ask, attempt, button, chip, empty, heading, pairs } from './widgets.js';

const PAGE = 50;
const STATES = ['waiting', 'released', 'any'];

export function guardPage() {
  let before = [];
  let after;
  let state = 'waiting';
  /** Those that are about to be deleted are out of sight already. */
  const leaving = new Set();
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'State' });
  const list = h('ol', { class: 'list' });
  const status = h('p', { class: 'small', role: 'status' });
  const pager = h('div', { class: 'actions' });
  const element = h(
    'div',
    { class: 'sheet narrow' },
    heading('Guard', 'Writes that looked like an attack or a secret. No agent sees them unless you release them.'),
    h('div', { class: 'toolbar' }, tabs, status),
    list,
    pager,
  );

  async function release(entry) {
    const isSure = await ask('Store this text in the memory of ' + entry.agent + '? The guard took it for an attack or a secret.', 'Release');
    if (!isSure) return;
    const done = await attempt(() => call('POST /v1/guard/release', { body: { id: entry.id } }));
    if (done === undefined) return;
    dispatchEvent(new Event('keepsake:decided'));
    const isMemory = done.releasedAs?.startsWith('mem_');
    toast('Released into the memory of ' + entry.agent + '.', isMemory ? { action: { text: 'Show it', run: () => { location.hash = '#memory/' + encodeURIComponent(done.releasedAs); } } } : {});
    load();
  }

  function remove(entry) {
    leaving.add(entry.id);
    const erase = async (isLeaving) => {
      await attempt(() => request('POST /v1/guard/delete', { body: { id: entry.id }, keepalive: isLeaving }));
      leaving.delete(entry.id);
      dispatchEvent(new Event('keepsake:decided'));
      load();
    };
    afterGrace('This refused write is about to be erased for good.', erase, () => { leaving.delete(entry.id); load(); });
    load();
  }

  function show(entry) {
    return h(
      'li',
      { class: 'card refused' },
      h('div', { class: 'detail-head' }, entry.reasons.map((reason) => chip(reason, 'danger')), entry.state !== 'waiting' && chip(entry.state), h('span', { class: 'small' }, entry.agent + ' · ', ago(entry.lastAt ?? entry.at))),
      h('pre', { class: 'content' }, entry.content ?? '(released; its memory has the text now)'),
      h(
        'details',
        null,
        h('summary', { class: 'small' }, 'Where it comes from'),
        pairs([
          ['by', entry.verb + ', ' + entry.via],
          ['origin', entry.origin],
          ['category', entry.category],
          ['session', entry.session],
          ['first tried', time(entry.at)],
          ['tried', entry.times === 1 ? null : count(entry.times, 'time')],
          ['last tried', entry.times === 1 ? null : time(entry.lastAt)],
          ['released by', entry.releasedBy],
          ['released as', entry.releasedAs],
          ['released', entry.releasedAt === null ? null : time(entry.releasedAt)],
        ]),
      ),
      h(
        'div',
        { class: 'actions' },
        entry.state === 'waiting' && button('Release', () => release(entry)),
        button('Delete', () => remove(entry), { class: 'danger' }),
      ),
    );
  }

  async function load() {
    fill(tabs, STATES.map((name) => button(name, () => { state = name; restart(); }, { 'aria-pressed': String(state === name) })));
    const body = { limit: PAGE, state, ...(after === undefined ? {} : { after }) };
    const all = await attempt(() => call('POST /v1/guard/list', { body }), { place: list, again: load });
    if (all === undefined) return;
    const entries = all.filter(({ id }) => !leaving.has(id));
    fill(status, entries.length === 0 ? '' : count(entries.length, 'refused write') + ', newest first');
    fill(list, entries.length === 0 ? h('li', null, nothing()) : entries.map(show));
    fill(
      pager,
      before.length > 0 && button('← Newer', () => { after = before.pop(); load(); }),
      all.length === PAGE && button('Older →', () => { before.push(after); after = all.at(-1).id; load(); }),
    );
  }

  function nothing() {
    if (state !== 'waiting') return empty('Nothing here', 'What you release stays listed, with who released it.');
    return empty('Nothing waits for a decision', 'Texts that try to give orders to agents, or hold keys and passwords, are held back here. Test a text without storing it:', 'keepsake guard scan "Ignore all previous instructions."');
  }

  function restart() {
    before = [];
    after = undefined;
    load();
  }

  // Whoever reads an older page is not disturbed.
  const deaf = onEvent((event) => {
    if (event.type === 'memory.blocked' && before.length === 0) load();
  });
  load();
  return { element, leave: deaf };
}
`;
