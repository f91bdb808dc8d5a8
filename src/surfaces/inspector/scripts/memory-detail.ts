/** Browser script: one memory in full: what it says, where it came from, why it was found, what it said before. */
export const MEMORY_DETAIL_JS = `
import { call, request } from './api.js';
import { ago, count, fill, h, number, time } from './dom.js';
import { editForm, hasDraft, sendChange } from './memory-edit.js';
import { leaving } from './memory-row.js';
import { afterGrace, toast } from './toasts.js';
import { attempt, button, chip, factorBars, pairs } from './widgets.js';

function link(id) {
  return id === null ? null : h('a', { href: '#memory/' + encodeURIComponent(id) }, id);
}

function provenance(memory) {
  return pairs([
    ['id', h('code', null, memory.id)],
    ['agent', memory.agent],
    ['source', memory.source.replaceAll('_', ' ')],
    ['origin', memory.origin],
    ['scope', memory.scope === 'swarm' ? 'swarm: seen by all agents' : 'private to its agent'],
    ['tags', memory.tags.length > 0 && memory.tags.map((tag) => [chip(tag), ' '])],
    ['confidence', number(memory.confidence)],
    ['thread', memory.thread],
    ['created', time(memory.createdAt)],
    ['changed', memory.version === 1 ? null : time(memory.updatedAt)],
    ['holds since', memory.validFrom === null ? null : time(memory.validFrom)],
    [memory.state === 'expired' ? 'expired' : 'expires', time(memory.expiresAt)],
    ['expired by', memory.expiryReason],
    ['took the place of', link(memory.supersedes)],
    ['was replaced by', link(memory.supersededBy)],
    ['forgotten', memory.forgottenAt === null ? null : time(memory.forgottenAt)],
    ['opened', count(memory.accessCount, 'time')],
    ['in prompts', count(memory.injectedCount, 'time')],
  ].filter(([, value]) => value !== false));
}

/** What a version changed besides the text. */
function changes(entry, before) {
  if (before === undefined) return [];
  const same = (name) => JSON.stringify(entry[name]) === JSON.stringify(before[name]);
  return [
    !same('category') && 'category ' + before.category + ' → ' + entry.category,
    !same('tags') && 'tags: ' + (entry.tags.join(', ') || 'none'),
    !same('pinned') && (entry.pinned ? 'pinned' : 'no longer pinned'),
    !same('expiresAt') && (entry.expiresAt === null ? 'no longer expires' : ['expires ', time(entry.expiresAt)]),
    !same('scope') && (entry.scope === 'swarm' ? 'shared with the swarm' : 'private again'),
    !same('metadata') && 'other metadata',
  ].filter((each) => each !== false);
}

/** A text is shown once, at the version that brought it. */
function version(entry, before, memory, goBack) {
  const isPast = entry.id === memory.id && entry.version < memory.version;
  return h(
    'li',
    null,
    h(
      'p',
      { class: 'small' },
      h('b', null, 'Version ' + entry.version),
      ' ' + entry.change + ' by ' + entry.changedBy + ', ',
      ago(entry.changedAt),
      entry.id !== memory.id && [', as ', link(entry.id)],
      isPast && memory.state !== 'forgotten' && button('Bring this back', () => goBack(entry.version), { class: 'quiet' }),
    ),
    h('div', { class: 'changed' }, changes(entry, before).map((each) => h('span', { class: 'small' }, each))),
    entry.content !== before?.content && h('pre', null, entry.content),
  );
}

/** { changed(memory or undefined, id), close() } tell the list. */
export function memoryDetail(given, { changed, close }) {
  let memory = given;
  const element = h('article', { class: 'memory' });
  const history = h('ol', { class: 'history' });

  function replace(fresh) {
    const { outcome: _, pruned: __, ...rest } = fresh;
    // Relevance and factors were those of the version that was found.
    memory = rest;
    changed(rest, rest.id);
    draw();
  }

  function done(fresh, text) {
    const isSame = fresh.outcome === 'unchanged';
    toast(isSame ? 'Nothing was different.' : text, isSame ? {} : { action: { text: 'Undo', run: () => undo() } });
    replace(fresh);
  }

  async function change(fields, text) {
    const fresh = await attempt(() => sendChange(memory, fields));
    if (fresh !== undefined) done(fresh, text);
  }

  async function undo(to) {
    const body = { id: memory.id, ifVersion: memory.version, ...(to === undefined ? {} : { version: to }) };
    const fresh = await attempt(() => call('POST /v1/memory/undo', { body }));
    if (fresh === undefined) return;
    toast('Brought back what it said before, as version ' + fresh.version + '.');
    replace(fresh);
  }

  function forget() {
    const { id } = memory;
    const mark = (isGoing) => {
      if (isGoing) leaving.add(id);
      else leaving.delete(id);
      changed(memory, id);
    };
    const erase = async (isLeaving) => {
      const options = { params: { id }, keepalive: isLeaving };
      const erased = await attempt(async () => (await request('DELETE /v1/memory/:id', options)).json());
      if (erased === undefined) return mark(false);
      leaving.delete(id);
      toast('Forgotten: ' + count(erased.characters, 'character') + ' in ' + count(erased.versions, 'version') + ' erased from the disk.');
      changed(undefined, id);
    };
    afterGrace('This memory and all its versions are about to be erased for good.', erase, () => {
      mark(false);
      toast('Kept. Nothing was erased.');
      location.hash = '#memory/' + encodeURIComponent(id);
    });
    close();
    mark(true);
  }

  async function readHistory() {
    if (memory.state === 'forgotten') return fill(history, h('li', { class: 'small' }, 'All versions were erased with it.'));
    const versions = await attempt(() => call('GET /v1/memory/:id/history', { params: { id: memory.id } }), { place: history, again: readHistory });
    if (versions !== undefined) fill(history, versions.map((entry, i) => version(entry, versions[i - 1], memory, undo)).toReversed());
  }

  function edit() {
    const save = async (fields) => done(await sendChange(memory, fields), 'Saved.');
    fill(element, editForm(memory, { save, cancel: draw }));
    element.querySelector('textarea').focus();
  }

  function actions() {
    if (memory.state === 'forgotten') return null;
    const act = (text, key, run, more = {}) => button(text, run, { 'data-key': key, key: key.length === 1 ? key : undefined, ...more });
    return h(
      'div',
      { class: 'actions' },
      act('Edit', 'e', edit, { class: 'main' }),
      act(memory.pinned ? 'Unpin' : 'Pin', 'p', () => change({ pinned: !memory.pinned }, memory.pinned ? 'No longer pinned.' : 'Pinned: always part of standing memory.')),
      memory.state === 'live' && act('Expire now', 'x', () => change({ expiresAt: Date.now() }, 'Expired: no search finds it any more.')),
      memory.version > 1 && act('Undo last change', 'u', () => undo()),
      act('Forget', 'Delete', forget, { class: 'danger' }),
    );
  }

  function draw() {
    fill(
      element,
      h(
        'div',
        { class: 'detail-head' },
        button('← Back', close, { class: 'back' }),
        chip(memory.category),
        memory.pinned && chip('pinned', 'warm'),
        memory.state !== 'live' && chip(memory.state, 'danger'),
        h('span', { class: 'small' }, 'version ' + memory.version),
      ),
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
  if (hasDraft(memory)) edit();
  return element;
}
`;
