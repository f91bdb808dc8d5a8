/** The form that changes a memory. Unsaved text is kept until it is saved or cancelled. */
import type { ChangedMemory, Memory, MemoryChange } from '../api.ts';
import { ApiError, call } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { problem } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';

interface Draft {
  readonly content: string;
  readonly category: string;
  readonly tags: string;
}

/** Unsaved text by id of its memory; the form shows it again when the memory is opened again. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export const hasDraft = ({ id }: Memory): boolean => drafts.has(id);

/** Fails if somebody else has changed the memory since it was read. */
export async function sendChange({ id, version }: Memory, change: MemoryChange): Promise<ChangedMemory> {
  try {
    const headers = { 'if-match': `"${version}"` };
    return await call('PATCH /v1/memory/:id', { params: { id }, body: change, headers });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    throw new ApiError(error.status, {
      message: 'Someone else changed this memory in the meantime.',
      hint: 'Copy your text, then open the memory again to see the change.',
    });
  }
}

const labelled = (name: string, input: HTMLElement) => h('label', null, h('span', null, name), input);
const tagList = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

interface EditActions {
  /** May fail: the form then shows why and stays as it is. */
  readonly save: (change: MemoryChange) => Promise<void>;
  readonly cancel: () => void;
}

export function editForm(memory: Memory, { save, cancel }: EditActions): HTMLFormElement {
  const { id, content, category, tags } = memory;
  const draft = drafts.get(id) ?? { content, category, tags: tags.join(', ') };
  const contentInput = h('textarea', { rows: 8, dir: 'auto', required: true, value: draft.content });
  const categoryInput = h('input', { type: 'text', required: true, value: draft.category });
  const tagsInput = h('input', { type: 'text', placeholder: 'separated by commas', value: draft.tags });
  const errorPlace = h('div', null);
  const send = h('button', { type: 'submit', class: 'main' }, 'Save');

  /** Only what differs: each field that is sent is checked and stored again. Undefined for nothing. */
  function changes(): MemoryChange | undefined {
    const wanted = { content: contentInput.value, category: categoryInput.value.trim() };
    const wantedTags = tagList(tagsInput.value);
    const isSame = wantedTags.join('\n') === tags.join('\n');
    const change = {
      content: wanted.content === content ? undefined : wanted.content,
      category: wanted.category === category ? undefined : wanted.category,
      tags: isSame ? undefined : wantedTags,
    };
    return Object.values(change).every((value) => value === undefined) ? undefined : change;
  }

  function leave(): void {
    drafts.delete(id);
    cancel();
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const change = changes();
    if (change === undefined) return leave();
    send.disabled = true;
    try {
      await save(change);
      drafts.delete(id);
    } catch (error) {
      fill(errorPlace, problem(error));
    }
    send.disabled = false;
  }

  function keydown(event: KeyboardEvent): void {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.key !== 'Escape' && !saves) return;
    event.stopPropagation();
    event.preventDefault();
    if (saves) form.requestSubmit();
    else leave();
  }

  function input(): void {
    if (changes() === undefined) drafts.delete(id);
    else {
      const typed = { category: categoryInput.value, tags: tagsInput.value };
      drafts.set(id, { content: contentInput.value, ...typed });
    }
  }

  const form = h(
    'form',
    { class: 'edit', on: { submit, keydown, input } },
    labelled('Content', contentInput),
    h('div', { class: 'columns' }, labelled('Category', categoryInput), labelled('Tags', tagsInput)),
    errorPlace,
    h(
      'div',
      { class: 'actions' },
      send,
      button('Cancel', leave),
      h('span', { class: 'small for-keyboards' }, 'Ctrl+Enter saves, Esc cancels'),
    ),
  );
  return form;
}
