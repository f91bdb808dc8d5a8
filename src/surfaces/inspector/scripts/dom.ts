/** Browser script: builds elements. Whatever is not an element becomes a text node, so no content is ever read as HTML. */
export const DOM_JS = String.raw`
/** h('p', { class: 'x', on: { click } }, 'text', element): false, null and undefined are left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (name === 'value') {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/** Replaces everything inside an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function time(at) {
  if (at === null || at === undefined) return 'never';
  return h('time', { datetime: new Date(at).toISOString() }, TIME.format(at));
}

export function number(value, digits = 2) {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** One line of a longer text. */
export function excerpt(text, most = 240) {
  const line = text.slice(0, most * 2).replace(/\s+/g, ' ').trim();
  return line.length > most ? line.slice(0, most) + '…' : line;
}
`;
