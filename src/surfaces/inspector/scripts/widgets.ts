/** Browser script: small parts that several pages use: bars, pairs, tables, empty places and questions. */
export const WIDGETS_JS = `
import { fill, h, number } from './dom.js';
import { toast } from './toasts.js';

/** A share from 0 to 1 as a bar, with its number beside it. */
export function bar(name, value, { share = value, text = number(value), title, kind = '' } = {}) {
  const part = Math.min(1, Math.max(0, share ?? 0));
  const inner = h('span', { class: 'bar-part ' + kind });
  // Set by script: the policy of the page allows no style attributes.
  inner.style.width = part * 100 + '%';
  return h(
    'div',
    { class: 'factor', title },
    h('span', { class: 'factor-name' }, name),
    h('span', { class: 'factor-value' }, text),
    h('span', { class: 'bar', role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 1, 'aria-valuenow': part.toFixed(3) }, inner),
  );
}

/** A number that others are multiplied by: 1 changes nothing and is the middle, less goes to the left, more to the right. */
export function multiplier(name, value, title) {
  const inner = h('span', { class: value < 1 ? 'bar-part less' : 'bar-part more' });
  inner.style.width = Math.min(1, Math.abs(value - 1)) * 50 + '%';
  return h(
    'div',
    { class: 'factor', title },
    h('span', { class: 'factor-name' }, name),
    h('span', { class: 'factor-value' }, '× ' + number(value)),
    h('span', { class: 'bar middle', role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 2, 'aria-valuenow': Math.min(2, value).toFixed(3) }, inner),
  );
}

/** Every number that decided about the place of a hit. */
export function factorBars({ score, factors }) {
  if (factors === null || factors === undefined) return null;
  const { relevance, coverage, similarity, semantic, context, recencyDecay, accessBoost, orderBoost = 1 } = factors;
  return h(
    'div',
    { class: 'factors' },
    bar('score', score, { title: 'relevance × recency × access × order; orders the hits', kind: 'strong' }),
    bar('relevance', relevance, { title: 'how well it answers, from words, meaning and context', kind: 'strong' }),
    bar('words', coverage, { title: 'share of the telling words of the question' }),
    bar('cosine', similarity, { title: 'between question and memory; none without vectors' }),
    bar('meaning', semantic, { title: 'the cosine, calibrated for the model' }),
    bar('context', context, { title: 'what its neighbours in the thread added' }),
    multiplier('recency', recencyDecay, 'what age takes away; 1 takes nothing'),
    multiplier('access', accessBoost, 'what being opened adds; 1 adds nothing'),
    multiplier('order', orderBoost, 'what an order or a preference gains; 1 gains nothing'),
  );
}

/** Names and values; what is empty is left out. */
export function pairs(entries) {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return h('dl', null, shown.map(([name, value]) => [h('dt', null, name), h('dd', null, value)]));
}

export function table(head, rows) {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': head.join(', ') },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, head.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, rows.map((row) => h('tr', null, row.map((cell) => h('td', null, cell))))),
    ),
  );
}

export function button(text, click, { key, ...attributes } = {}) {
  return h('button', { type: 'button', ...attributes, on: { click } }, text, key && h('kbd', { 'aria-hidden': 'true' }, key));
}

/** Facts beside each other, with a dot between those that are only text. */
export function meta(...facts) {
  const shown = facts.flat().filter((fact) => fact !== null && fact !== undefined && fact !== false);
  return h('span', { class: 'small meta' }, shown.map((fact) => (fact instanceof Node && fact.classList.contains('chip') ? fact : h('span', null, fact))));
}

export function chip(text, kind = '') {
  return h('span', { class: 'chip ' + kind }, text);
}

/** A choice of words; calls back with the chosen one. */
export function select(label, options, chosen, change) {
  return h(
    'select',
    { 'aria-label': label, on: { change: (event) => change(event.target.value) } },
    options.map(([value, text = value]) => h('option', { value, selected: value === chosen }, text)),
  );
}

/** The sign of the page that is shown. */
function mark() {
  const sign = document.querySelector('#tabs a[aria-current] svg')?.cloneNode(true);
  sign?.setAttribute('class', 'empty-mark');
  return sign;
}

/** Something to run, with a button that copies it. */
export function command(text) {
  const copy = button('Copy', async () => {
    await navigator.clipboard?.writeText(text).then(() => fill(copy, 'Copied'), () => {});
    setTimeout(() => fill(copy, 'Copy'), 1500);
  }, { class: 'quiet' });
  return h('div', { class: 'command' }, h('pre', null, text), navigator.clipboard !== undefined && copy);
}

/** What stands where nothing is yet: what would be here, and how it gets here. */
export function empty(title, text, example) {
  return h(
    'div',
    { class: 'empty' },
    mark(),
    h('h2', null, title),
    h('p', null, text),
    example !== undefined && command(example),
  );
}

/** Says what went wrong in the place where it did, with a way to try again. */
export function problem(error, again) {
  return h('div', { class: 'problem', role: 'alert' }, h('span', null, error.message), again && button('Try again', again));
}

/** Does something; if it fails, says so in the given place, or else at the edge of the page. */
export async function attempt(work, { place, again } = {}) {
  try {
    return await work();
  } catch (error) {
    if (error.name === 'AbortError' || error.status === 401) return undefined;
    if (place === undefined) toast(error.message, { kind: 'error' });
    else fill(place, problem(error, again));
    return undefined;
  }
}

/** Asks before something that cannot be taken back; Esc means no. */
export function ask(question, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      'dialog',
      { on: { close: () => { dialog.remove(); resolve(dialog.returnValue === 'yes'); } } },
      h('p', null, question),
      h(
        'div',
        { class: 'actions end' },
        button('Cancel', () => dialog.close('no'), { autofocus: true }),
        button(yes, () => dialog.close('yes'), { class: 'danger' }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Moves the focus among the links of a list; answers whether the key was meant for it. */
export function moveInList(list, event, before) {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined) return false;
  const items = [...list.querySelectorAll('a[data-item], button[data-item]')];
  if (items.length === 0) return false;
  const at = items.indexOf(document.activeElement);
  if (at === 0 && step < 0 && before !== undefined) before.focus();
  else items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + step))].focus();
  return true;
}

/** The frame of a page with a list and what was chosen from it. On a narrow screen one of the two is shown. */
export function split({ title, about, controls, finder, detail, label, isSlim }) {
  const place = h('section', { class: 'detail', 'aria-label': label, tabindex: -1 }, detail);
  const element = h(
    'div',
    { class: isSlim ? 'split slim' : 'split' },
    h('section', { class: 'finder' }, heading(title, about), controls, finder),
    place,
  );
  return { element, detail: place, open: (isOpen) => element.classList.toggle('is-open', isOpen) };
}

export function heading(title, about, ...more) {
  return h('div', { class: 'heading' }, h('h1', null, title), about && h('p', { class: 'small' }, about), more);
}
`;
