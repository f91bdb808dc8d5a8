/** Browser script: changes a memory, only if nobody else has in the meantime. What was typed is kept until it is saved. */
export const MEMORY_EDIT_JS = String.raw`
import { call } from './api.js';
import { fill, h } from './dom.js';
import { button, problem } from './widgets.js';

/** What was typed and not saved, by memory; it is there again when the memory is opened again. */
const drafts = new Map();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export const hasDraft = ({ id }) => drafts.has(id);

export async function sendChange({ id, version }, fields) {
  try {
    return await call('PATCH /v1/memory/:id', { params: { id }, body: fields, headers: { 'if-match': '"' + version + '"' } });
  } catch (error) {
    if (error.status === 412) error.message = 'Somebody else changed this memory in the meantime. Copy what you typed, then open it again to see how.';
    throw error;
  }
}

function field(name, input) {
  return h('label', null, h('span', null, name), input);
}

/** save(fields) may fail: the form then says why and stays as it is. */
export function editForm(memory, { save, cancel }) {
  const draft = drafts.get(memory.id) ?? { content: memory.content, category: memory.category, tags: memory.tags.join(', ') };
  const content = h('textarea', { rows: 8, dir: 'auto', required: true, value: draft.content });
  const category = h('input', { type: 'text', required: true, value: draft.category });
  const tags = h('input', { type: 'text', placeholder: 'separated by commas', value: draft.tags });
  const wrong = h('div', null);
  const send = h('button', { type: 'submit', class: 'main' }, 'Save');

  /** Only what differs: each field that is sent is judged and stored anew. */
  function changes() {
    const wanted = tags.value.split(',').map((tag) => tag.trim()).filter((tag) => tag !== '');
    return {
      ...(content.value === memory.content ? {} : { content: content.value }),
      ...(category.value.trim() === memory.category ? {} : { category: category.value.trim() }),
      ...(wanted.join('\n') === memory.tags.join('\n') ? {} : { tags: wanted }),
    };
  }

  function leave() {
    drafts.delete(memory.id);
    cancel();
  }

  async function submit(event) {
    event.preventDefault();
    const fields = changes();
    if (Object.keys(fields).length === 0) return leave();
    send.disabled = true;
    try {
      await save(fields);
      drafts.delete(memory.id);
    } catch (error) {
      fill(wrong, problem(error));
    }
    send.disabled = false;
  }

  function keydown(event) {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.key !== 'Escape' && !saves) return;
    event.stopPropagation();
    event.preventDefault();
    if (saves) form.requestSubmit();
    else leave();
  }

  function input() {
    if (Object.keys(changes()).length === 0) drafts.delete(memory.id);
    else drafts.set(memory.id, { content: content.value, category: category.value, tags: tags.value });
  }

  const form = h(
    'form',
    { class: 'edit', on: { submit, keydown, input } },
    field('Content', content),
    h('div', { class: 'columns' }, field('Category', category), field('Tags', tags)),
    wrong,
    h('div', { class: 'actions' }, send, button('Cancel', leave), h('span', { class: 'small for-keyboards' }, 'Ctrl+Enter saves, Esc cancels')),
  );
  return form;
}
`;
