/** Several memories at once: which are selected, and what can be done with all of them. */
import type { ChangedMemory, Memory } from '../api.ts';
import { call } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { toast } from '../parts/toasts.ts';
import { forgetLater } from './forgetting.ts';
import { sendChange } from './memory-edit.ts';

interface SelectionOptions {
  /** The memory with an id, as the list knows it. */
  readonly find: (id: string) => Memory | undefined;
  /** Where the checkboxes are. */
  readonly place: () => Element;
  readonly changed: (id: string, memory?: Memory) => void;
}

const memories = (many: number) => count(many, 'memory', 'memories');

export class Selection {
  /** Switches the checkboxes on and off. */
  readonly toggle = button('Select', () => this.#switch(!this.#isOn), {
    class: 'quiet',
    'aria-pressed': 'false',
  });
  readonly bar = h('div', {
    class: 'selection',
    role: 'toolbar',
    'aria-label': 'Selected memories',
    hidden: true,
  });
  readonly #options: SelectionOptions;
  readonly #chosen = new Map<string, Memory>();
  #isOn = false;

  constructor(options: SelectionOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  has(id: string): boolean {
    return this.#chosen.has(id);
  }

  /** Called when a checkbox changes. */
  choose(input: HTMLInputElement): void {
    const id = input.dataset.choose ?? '';
    const memory = this.#options.find(id);
    if (input.checked && memory !== undefined) this.#chosen.set(id, memory);
    else this.#chosen.delete(id);
    this.#draw();
  }

  #switch(isOn: boolean): void {
    this.#isOn = isOn;
    this.#chosen.clear();
    this.toggle.setAttribute('aria-pressed', String(isOn));
    this.#options.place().classList.toggle('is-selecting', isOn);
    this.#check();
    this.#draw();
  }

  #boxes(): HTMLInputElement[] {
    return [...this.#options.place().querySelectorAll<HTMLInputElement>('input[data-choose]')];
  }

  #check(): void {
    for (const box of this.#boxes()) box.checked = this.has(box.dataset.choose ?? '');
  }

  #chooseShown(): void {
    for (const { dataset } of this.#boxes()) {
      const memory = this.#options.find(dataset.choose ?? '');
      if (memory !== undefined && memory.state !== 'forgotten') this.#chosen.set(memory.id, memory);
    }
    this.#check();
    this.#draw();
  }

  #draw(): void {
    const { size } = this.#chosen;
    this.bar.hidden = !this.#isOn;
    const nothing = size === 0;
    fill(
      this.bar,
      h('span', { class: 'small', role: 'status' }, `${count(size)} selected`),
      button('Select all shown', () => this.#chooseShown()),
      button('Pin', () => this.#pin(true), { disabled: nothing }),
      button('Unpin', () => this.#pin(false), { disabled: nothing }),
      button('Forget', () => this.#forget(), { disabled: nothing, class: 'danger' }),
      button('Done', () => this.#switch(false)),
    );
  }

  async #pin(pinned: boolean): Promise<void> {
    const wanted = [...this.#chosen.values()].filter((memory) => memory.pinned !== pinned);
    const done: ChangedMemory[] = [];
    for (const memory of wanted) {
      const fresh = await attempt(() => sendChange(memory, { pinned }));
      if (fresh === undefined) break;
      done.push(fresh);
      this.#options.changed(fresh.id, fresh);
    }
    this.#switch(false);
    if (wanted.length === 0)
      return void toast(pinned ? 'All of them were pinned already.' : 'None of them was pinned.');
    const text = `${pinned ? 'Pinned' : 'Unpinned'} ${memories(done.length)}.`;
    toast(text, { action: { text: 'Undo', run: () => this.#undo(done) } });
  }

  async #undo(changes: readonly ChangedMemory[]): Promise<void> {
    for (const { id, version } of changes) {
      const fresh = await attempt(() => call('POST /v1/memory/undo', { body: { id, ifVersion: version } }));
      if (fresh !== undefined) this.#options.changed(id, fresh);
    }
    toast(`Restored ${memories(changes.length)}.`);
  }

  #forget(): void {
    const chosen = [...this.#chosen.values()].filter(({ state }) => state !== 'forgotten');
    this.#switch(false);
    if (chosen.length > 0) forgetLater(chosen, { changed: this.#options.changed, undone: () => {} });
  }
}
