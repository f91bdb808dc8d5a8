/** Buttons, choices, and the keys that press buttons. */
import { type Attributes, h } from '../dom/elements.ts';

interface ButtonAttributes extends Attributes {
  /** Shown on the button. */
  readonly key?: string | undefined;
}

export function button(
  text: string,
  click: () => unknown,
  { key, ...attributes }: ButtonAttributes = {},
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', ...attributes, on: { click } },
    text,
    key !== undefined && h('kbd', { 'aria-hidden': 'true' }, key),
  );
}

/** On a narrow screen, from what was selected back to the list. */
export function backButton(back: () => unknown): HTMLButtonElement {
  return button('← Back', back, { class: 'back' });
}

/** Presses the button of a place that has this key as its `data-key`; returns whether there is one. */
export function pressByKey(place: Element, { key }: KeyboardEvent): boolean {
  const pressed = place.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(key)}"]`);
  pressed?.click();
  return pressed !== null;
}

export type Option = readonly [value: string, text?: string];

/** Calls back with the chosen value. */
export function select(
  label: string,
  options: readonly Option[],
  chosen: string,
  change: (value: string) => unknown,
): HTMLSelectElement {
  const element: HTMLSelectElement = h(
    'select',
    { 'aria-label': label, on: { change: () => change(element.value) } },
    options.map(([value, text = value]) => h('option', { value, selected: value === chosen }, text)),
  );
  return element;
}

/** Selects a value, also one that is not offered. */
export function choose(element: HTMLSelectElement, value: string): void {
  const isOffered = [...element.options].some((option) => option.value === value);
  if (!isOffered) element.append(h('option', { value }, value));
  element.value = value;
}

/** One of a few names, each a button. */
export function segments<Name extends string>(
  names: readonly Name[],
  chosen: Name,
  choose: (name: Name) => unknown,
): HTMLButtonElement[] {
  return names.map((name) => button(name, () => choose(name), { 'aria-pressed': String(name === chosen) }));
}
