/** The form that writes a section. Unsaved text is kept until it is saved or cancelled. */
import { isExpected } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { problem } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';

interface SectionFormOptions {
  readonly draftKey: string;
  /** Empty for a new section. */
  readonly name: string;
  readonly content: string;
  /** May fail: the form then shows why and stays as it is. */
  readonly save: (name: string, content: string) => Promise<void>;
  readonly cancel: () => void;
}

/** Unsaved text, by agent and section. */
const drafts = new Map<string, string>();

export const hasDraft = (key: string): boolean => drafts.has(key);
export const dropDraft = (key: string): boolean => drafts.delete(key);

export function sectionForm(options: SectionFormOptions): {
  readonly form: HTMLFormElement;
  focus(): void;
} {
  const { draftKey, name, content, save, cancel } = options;
  const isNew = name === '';
  const nameInput = h('input', {
    type: 'text',
    required: true,
    placeholder: 'for example user_preferences',
    value: name,
    disabled: !isNew,
  });
  const text: HTMLTextAreaElement = h('textarea', {
    rows: 14,
    dir: 'auto',
    value: drafts.get(draftKey) ?? content,
    on: { input: () => drafts.set(draftKey, text.value) },
  });
  const errorPlace = h('div', null);

  function leave(): void {
    drafts.delete(draftKey);
    cancel();
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await save(nameInput.value.trim(), text.value);
    } catch (error) {
      if (!isExpected(error)) fill(errorPlace, problem(error));
    }
  }

  function keydown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  }

  const form = h(
    'form',
    { class: 'edit', on: { submit, keydown } },
    h('label', null, h('span', null, 'Name'), nameInput),
    h('label', null, h('span', null, 'Content'), text),
    errorPlace,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'submit', class: 'main' }, 'Save'),
      button('Cancel', leave),
    ),
  );
  return { form, focus: () => (isNew ? nameInput : text).focus() };
}
