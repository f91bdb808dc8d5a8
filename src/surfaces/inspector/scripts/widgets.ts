/** Browser script: small parts that several pages use: bars, pairs, tables, messages and questions. */
export const WIDGETS_JS = `
import { fill, h, number } from './dom.js';

/** A share from 0 to 1 as a bar, with its number beside it. */
export function bar(name, value, { share = value, text = number(value), title } = {}) {
  const part = Math.min(1, Math.max(0, share ?? 0));
  const inner = h('span', { class: 'bar-part' });
  // Set by script: the policy of the page allows no style attributes.
  inner.style.width = part * 100 + '%';
  return h(
    'div',
    { class: 'factor', title },
    h('span', { class: 'factor-name' }, name),
    h('span', { class: 'bar', role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 1, 'aria-valuenow': part.toFixed(3) }, inner),
    h('span', { class: 'factor-value' }, text),
  );
}

/** Every number that decided about the place of a hit. */
export function factorBars({ score, factors }) {
  if (factors === null || factors === undefined) return null;
  const { relevance, coverage, similarity, semantic, context, recencyDecay, accessBoost } = factors;
  return h(
    'div',
    { class: 'factors' },
    bar('score', score, { title: 'relevance × recency × access; orders the hits' }),
    bar('relevance', relevance, { title: 'how well it answers, from words, meaning and context' }),
    bar('words', coverage, { title: 'share of the telling words of the question' }),
    bar('cosine', similarity, { title: 'between question and memory; none without vectors' }),
    bar('meaning', semantic, { title: 'the cosine, calibrated for the model' }),
    bar('context', context, { title: 'what its neighbours in the thread added' }),
    bar('recency', recencyDecay, { text: '× ' + number(recencyDecay), title: 'what age takes away' }),
    bar('access', accessBoost, { share: accessBoost - 1, text: '× ' + number(accessBoost), title: 'what being opened adds' }),
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
    { class: 'scroll' },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, head.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, rows.map((row) => h('tr', null, row.map((cell) => h('td', null, cell))))),
    ),
  );
}

export function button(text, click, attributes = {}) {
  return h('button', { type: 'button', ...attributes, on: { click } }, text);
}

/** Above the page, until the next one or for some seconds. */
let timer;
export function notice(text, kind = 'info') {
  const place = document.getElementById('notice');
  clearTimeout(timer);
  place.className = 'notice ' + kind;
  place.hidden = text === '';
  fill(place, text);
  if (kind === 'info') timer = setTimeout(() => notice('', 'none'), 6000);
}

/** Does something, and says so if it fails. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error.name !== 'AbortError' && error.status !== 401) notice(error.message, 'error');
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
        { class: 'actions' },
        button('Cancel', () => dialog.close('no'), { autofocus: true }),
        button(yes, () => dialog.close('yes'), { class: 'danger' }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
`;
