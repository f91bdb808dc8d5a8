/** Builds elements. Whatever is not a node becomes a text node, so content is never parsed as HTML. */

/** false, null and undefined are left out. */
export type Child = Node | string | number | false | null | undefined | readonly Child[];

type Listeners = {
  readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => unknown;
};
type Attribute = string | number | boolean | null | undefined;

export interface Attributes {
  readonly on?: Listeners;
  readonly [name: string]: Attribute | Listeners;
}

function append(parent: Element, child: Child): void {
  if (child === undefined || child === null || child === false) return;
  if (child instanceof Node) parent.append(child);
  else if (typeof child === 'object') for (const each of child) append(parent, each);
  else parent.append(String(child));
}

function build(element: Element, attributes: Attributes | null, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'object') {
      for (const [type, listener] of Object.entries(value)) {
        element.addEventListener(type, listener as EventListener);
      }
    } else if (name === 'value') Object.assign(element, { value });
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
}

/** h('p', { class: 'x', on: { click } }, 'text', element) */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes | null,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  build(element, attributes, children);
  return element;
}

/** The same for SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes | null,
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  build(element, attributes, children);
  return element;
}

/** Replaces everything inside an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** An element of the frame that the server sent. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element "${id}".`);
  return element as T;
}

/** Marks the current one of several links for style and screen readers. */
export function markCurrent(
  links: Iterable<HTMLElement>,
  isCurrent: (link: HTMLElement) => boolean,
  value = 'true',
): void {
  for (const link of links) {
    if (isCurrent(link)) link.setAttribute('aria-current', value);
    else link.removeAttribute('aria-current');
  }
}

/** Whether an event happened inside an element. */
export function isInside(element: Element, event: Event): boolean {
  return event.target instanceof Node && element.contains(event.target);
}
