/** Browser script: builds elements. Whatever is not an element becomes a text node, so no content is ever read as HTML. */
export const DOM_JS = String.raw`
function build(element, attributes, children) {
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

/** h('p', { class: 'x', on: { click } }, 'text', element): false, null and undefined are left out. */
export function h(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function draw(tag, attributes, ...children) {
  return build(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
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
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS = [['year', 31536e6], ['month', 2592e6], ['day', 864e5], ['hour', 36e5], ['minute', 6e4]];

export function time(at) {
  if (at === null || at === undefined) return 'never';
  return h('time', { datetime: new Date(at).toISOString() }, TIME.format(at));
}

export function clock(at) {
  return h('time', { datetime: new Date(at).toISOString(), title: TIME.format(at) }, CLOCK.format(at));
}

export function day(at) {
  return DAY.format(at);
}

/** As people say it: "3 min. ago". The exact time is its title. */
export function ago(at) {
  if (at === null || at === undefined) return 'never';
  const passed = at - Date.now();
  const [unit, size] = UNITS.find(([, length]) => Math.abs(passed) >= length) ?? ['second', 1000];
  const text = unit === 'second' ? 'just now' : AGO.format(Math.round(passed / size), unit);
  return h('time', { datetime: new Date(at).toISOString(), title: TIME.format(at) }, text);
}

export function number(value, digits = 2) {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

const COUNT = new Intl.NumberFormat();

/** count(2, 'memory', 'memories') */
export function count(many, one, several) {
  return one === undefined ? COUNT.format(many) : COUNT.format(many) + ' ' + (many === 1 ? one : (several ?? one + 's'));
}

/** One line of a longer text. */
export function excerpt(text, most = 240) {
  const line = text.slice(0, most * 2).replace(/\s+/g, ' ').trim();
  return line.length > most ? line.slice(0, most) + '…' : line;
}

/** Words that every text has tell nothing. */
const COMMON = new Set('about after also been does from have into that their them then there they this what when where which will with would your'.split(' '));

/** A text in which the words of a question are marked. */
export function marked(text, question) {
  const words = new Set((question.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{Lo}+/gu) ?? []).filter((word) => !COMMON.has(word)));
  if (words.size === 0) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((part) => (words.has(part.toLowerCase()) ? h('mark', null, part) : part));
}
`;
