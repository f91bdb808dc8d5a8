/** Browser script: the transcripts that were saved before compactions: read, compared and brought back. */
export const ARCHIVES_JS = String.raw`
import { call } from './api.js';
import { count, fill, h, time } from './dom.js';
import { toast } from './toasts.js';
import { ask, attempt, button, empty, meta, select } from './widgets.js';

/** Lines that only one side has; the sign is a word for those who do not see colours. */
export function diffView(lines) {
  if (lines.length === 0) return h('p', { class: 'small' }, 'The two say the same.');
  return h(
    'pre',
    { class: 'diff' },
    lines.map((line) => h('span', { class: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '' }, line + '\n')),
  );
}

function one(agent, { name, messages, characters, firstAt, lastAt }, all, back) {
  let to = '';
  const place = h('div', null);

  async function read() {
    const archive = await attempt(() => call('POST /v1/archive/show', { agent, body: { name } }), { place, again: read });
    if (archive !== undefined) fill(place, h('pre', { class: 'content' }, archive.text));
  }

  async function compare() {
    const body = { from: name, ...(to === '' ? {} : { to }) };
    const lines = await attempt(() => call('POST /v1/archive/diff', { agent, body }), { place, again: compare });
    if (lines !== undefined) fill(place, h('p', { class: 'small' }, '− only in ' + name + ', + only in ' + (to === '' ? 'MEMORY.md as it is now' : to)), diffView(lines));
  }

  async function restore() {
    const isSure = await ask('Make this transcript the MEMORY.md of ' + agent + ' again? What is there now is archived first.', 'Restore');
    if (!isSure) return;
    const done = await attempt(() => call('POST /v1/archive/restore', { agent, body: { name } }));
    if (done === undefined) return;
    const undo = async () => {
      const undone = await attempt(() => call('POST /v1/archive/restore', { agent, body: { name: done.archive } }));
      if (undone !== undefined) toast('MEMORY.md is what it was before.');
      back();
    };
    toast(name + ' is MEMORY.md again.', done.archive === null ? {} : { action: { text: 'Undo', run: undo } });
    back();
  }

  const other = select('Compare with', [['', 'MEMORY.md now'], ...all.filter((each) => each.name !== name).map((each) => [each.name])], '', (value) => { to = value; compare(); });
  read();
  return [
    h('h2', null, name),
    h('p', { class: 'small' }, count(messages, 'message') + ', ' + count(characters, 'character') + ', ', firstAt !== null && [time(firstAt), ' to ', time(lastAt)]),
    h('div', { class: 'actions' }, button('Text', read), button('Compare', compare), other, button('Restore', restore, { class: 'main' })),
    place,
  ];
}

export function archivesView(agent, chosen, address) {
  const element = h('div', null);

  async function load() {
    const all = await attempt(() => call('POST /v1/archive/list', { agent, body: {} }), { place: element, again: load });
    if (all === undefined) return;
    if (all.length === 0) return fill(element, empty('No archive yet', 'Before a conversation is compacted, its whole transcript is saved here.', 'keepsake compact ' + agent));
    const archive = all.find(({ name }) => name === chosen);
    if (archive !== undefined) return fill(element, h('div', { class: 'actions' }, h('a', { href: address(agent, 'archives') }, '← All archives')), one(agent, archive, all, load));
    fill(
      element,
      h(
        'ol',
        { class: 'list' },
        all.toReversed().map(({ name, messages, characters, lastAt }) =>
          h(
            'li',
            null,
            h(
              'a',
              { class: 'item', 'data-item': true, href: address(agent, 'archives', name) },
              h('span', { class: 'line' }, name),
              meta(count(messages, 'message'), count(characters, 'character'), lastAt !== null && time(lastAt)),
            ),
          ),
        ),
      ),
    );
  }

  load();
  return element;
}
`;
