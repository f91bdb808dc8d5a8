/** Browser script: changes a memory, only if nobody else has in the meantime. */
export const MEMORY_EDIT_JS = String.raw`
import { call } from './api.js';
import { h } from './dom.js';
import { button } from './widgets.js';

export async function sendChange({ id, version }, fields) {
  try {
    return await call('PATCH /v1/memory/:id', { params: { id }, body: fields, headers: { 'if-match': '"' + version + '"' } });
  } catch (error) {
    if (error.status === 412) error.message = 'Somebody else changed this memory in the meantime. Open it again to see how.';
    throw error;
  }
}

function field(name, input) {
  return h('label', null, h('span', null, name), input);
}

export function editForm(memory, { save, cancel }) {
  const content = h('textarea', { rows: 8, required: true, value: memory.content });
  const category = h('input', { type: 'text', required: true, value: memory.category });
  const tags = h('input', { type: 'text', placeholder: 'separated by commas', value: memory.tags.join(', ') });

  /** Only what differs: each field that is sent is judged and stored anew. */
  function changes() {
    const wanted = tags.value.split(',').map((tag) => tag.trim()).filter((tag) => tag !== '');
    return {
      ...(content.value === memory.content ? {} : { content: content.value }),
      ...(category.value.trim() === memory.category ? {} : { category: category.value.trim() }),
      ...(wanted.join('\n') === memory.tags.join('\n') ? {} : { tags: wanted }),
    };
  }

  function submit(event) {
    event.preventDefault();
    const fields = changes();
    if (Object.keys(fields).length === 0) cancel();
    else save(fields);
  }

  function escape(event) {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  }

  return h(
    'form',
    { class: 'edit', on: { submit, keydown: escape } },
    field('Content', content),
    field('Category', category),
    field('Tags', tags),
    h('div', { class: 'actions' }, h('button', { type: 'submit' }, 'Save'), button('Cancel', cancel)),
  );
}
`;
