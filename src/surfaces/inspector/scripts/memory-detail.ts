/** Browser script: one memory in full: what it says, where it came from, why it was found, what it said before. */
export const MEMORY_DETAIL_JS = `
import { call } from './api.js';
import { fill, h, number, time } from './dom.js';
import { editForm, sendChange } from './memory-edit.js';
import { ask, attempt, button, factorBars, notice, pairs } from './widgets.js';

function link(id) {
  return id === null ? null : h('a', { href: '#memory/' + encodeURIComponent(id) }, id);
}

function provenance(memory) {
  return pairs([
    ['id', memory.id],
    ['agent', memory.agent],
    ['category', memory.category],
    ['source', memory.source],
    ['origin', memory.origin],
    ['scope', memory.scope === 'swarm' ? 'swarm: seen by all agents' : 'private to its agent'],
    ['tags', memory.tags.join(', ')],
    ['confidence', number(memory.confidence)],
    ['thread', memory.thread],
    ['created', time(memory.createdAt)],
    ['changed', time(memory.updatedAt)],
    ['holds since', memory.validFrom === null ? null : time(memory.validFrom)],
    ['expires', time(memory.expiresAt)],
    ['expired by', memory.expiryReason],
    ['took the place of', link(memory.supersedes)],
    ['was replaced by', link(memory.supersededBy)],
    ['forgotten', memory.forgottenAt === null ? null : time(memory.forgottenAt)],
    ['opened', memory.accessCount + ' times'],
    ['put into prompts', memory.injectedCount + ' times'],
    ['version', memory.version],
  ]);
}

function version(entry, memory, goBack) {
  const isPast = entry.id === memory.id && entry.version < memory.version;
  return h(
    'li',
    null,
    h('p', { class: 'small' }, 'version ' + entry.version + ', ' + entry.change + ' by ' + entry.changedBy + ', ', time(entry.changedAt), entry.id !== memory.id && [', as ', link(entry.id)]),
    h('pre', null, entry.content),
    isPast && memory.state !== 'forgotten' && button('Bring this back', () => goBack(entry.version)),
  );
}

/** { changed(memory or undefined, id), close() } tell the list. */
export function memoryDetail(given, { changed, close }) {
  let memory = given;
  const element = h('div', null);
  const history = h('ol', { class: 'history' });

  function replace(fresh) {
    const { outcome: _, pruned: __, ...rest } = fresh;
    // Relevance and factors were those of the version that was found.
    memory = rest;
    changed(rest, rest.id);
    draw();
  }

  async function change(fields, done) {
    const fresh = await attempt(() => sendChange(memory, fields));
    if (fresh === undefined) return;
    notice(fresh.outcome === 'unchanged' ? 'Nothing was different.' : done);
    replace(fresh);
  }

  async function undo(to) {
    const body = { id: memory.id, ifVersion: memory.version, ...(to === undefined ? {} : { version: to }) };
    const fresh = await attempt(() => call('POST /v1/memory/undo', { body }));
    if (fresh === undefined) return;
    notice('Brought back what it said before, as version ' + fresh.version + '.');
    replace(fresh);
  }

  async function forget() {
    const isSure = await ask('Forget this memory? Its text and all of its versions are erased from the disk. This cannot be undone.', 'Forget for good');
    if (!isSure) return;
    const erased = await attempt(() => call('DELETE /v1/memory/:id', { params: { id: memory.id } }));
    if (erased === undefined) return;
    notice('Forgotten: ' + erased.characters + ' characters in ' + erased.versions + ' versions are erased.');
    changed(undefined, memory.id);
    close();
  }

  async function readHistory() {
    const versions = await attempt(() => call('GET /v1/memory/:id/history', { params: { id: memory.id } }));
    fill(history, (versions ?? []).toReversed().map((entry) => version(entry, memory, undo)));
  }

  function edit() {
    const form = editForm(memory, { save: (fields) => change(fields, 'Saved.'), cancel: draw });
    fill(element, form);
    form.querySelector('textarea').focus();
  }

  function actions() {
    if (memory.state === 'forgotten') return null;
    return h(
      'div',
      { class: 'actions' },
      button('Edit', edit),
      button(memory.pinned ? 'Unpin' : 'Pin', () => change({ pinned: !memory.pinned }, memory.pinned ? 'No longer pinned.' : 'Pinned: always part of standing memory.')),
      memory.version > 1 && button('Undo last change', () => undo()),
      memory.state === 'live' && button('Expire now', () => change({ expiresAt: Date.now() }, 'Expired: no search finds it; "Undo last change" brings it back.')),
      button('Forget…', forget, { class: 'danger' }),
    );
  }

  function draw() {
    fill(
      element,
      h('div', { class: 'actions' }, button('← Back', close, { class: 'back' }), memory.state !== 'live' && h('b', null, memory.state)),
      h('pre', { class: 'content' }, memory.state === 'forgotten' ? '(erased)' : memory.content),
      actions(),
      memory.explain !== undefined && [h('h2', null, 'Why it was found'), h('p', null, memory.explain), factorBars(memory)],
      h('h2', null, 'Where it comes from'),
      provenance(memory),
      Object.keys(memory.metadata).length > 0 && [h('h2', null, 'Metadata'), h('pre', null, JSON.stringify(memory.metadata, null, 2))],
      h('h2', null, 'History'),
      history,
    );
    readHistory();
  }

  draw();
  return element;
}
`;
