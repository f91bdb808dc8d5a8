/** Browser script: what happens in the workspace, newest first, as it happens. */
export const EVENTS_JS = `
import { clock, count, day, fill, h } from './dom.js';
import { feed, hasEarlier, onEvent, onFeed, readEarlier } from './feed.js';
import { attempt, button, empty, heading, meta, moveInList } from './widgets.js';

const ENVELOPE = ['seq', 'type', 'at', 'agent', 'session', 'via', 'id'];
const GROUPS = ['all', 'memory', 'session', 'conversation', 'swarm', 'other'];
const SHOWN = 300;
const kept = { group: 'all', text: '' };

const one = (category) => (/^[aeiou]/i.test(category) ? 'an ' : 'a ') + category.replaceAll('_', ' ');

const SENTENCES = {
  'memory.wrote': ({ change, category, version }) => change + ' ' + one(category) + (version > 1 ? ', now version ' + version : ''),
  'memory.blocked': ({ reasons, category }) => one(category) + ' was refused: ' + reasons.join(', '),
  'memory.pruned': ({ category }) => one(category) + ' gave way to newer ones',
  'memory.expired': ({ category }) => one(category) + ' expired',
  'memory.forgotten': () => 'erased for good',
  'memory.recalled': ({ entryCount, charsInjected }) => (entryCount === 0 ? 'nothing in memory fitted a prompt' : count(entryCount, 'memory', 'memories') + ' entered a prompt, ' + count(charsInjected, 'character')),
  'memory.extracted': ({ opsApplied, opsProposed }) => opsApplied + ' of ' + opsProposed + ' lessons of a session were kept',
  'session.sent': ({ characters }) => 'was given a prompt of ' + count(characters, 'character'),
  'session.completed': ({ prompts }) => 'completed after ' + count(prompts, 'prompt'),
  'session.failed': ({ prompts }) => 'failed after ' + count(prompts, 'prompt'),
  'session.aborted': ({ prompts }) => 'stopped after ' + count(prompts, 'prompt'),
  'session.receipt': ({ loop, receipt }) => 'prompt ' + loop + ': ' + count(receipt.memories.length, 'memory', 'memories') + ', about ' + count(receipt.total.tokens, 'token'),
  'conversation.compacted': ({ replaced }) => count(replaced, 'message') + ' became a summary',
};

function sentence(event) {
  const known = Object.hasOwn(SENTENCES, event.type) ? SENTENCES[event.type] : undefined;
  if (known !== undefined) return known(event);
  const fields = Object.entries(event).filter(([name]) => !ENVELOPE.includes(name));
  return fields.map(([name, value]) => name + ' ' + (typeof value === 'object' ? JSON.stringify(value) : value)).join(', ');
}

function target(event) {
  if (event.quarantineId !== undefined) return ['#guard', 'review'];
  if (event.type === 'session.receipt' && event.session !== undefined) return ['#sessions/' + encodeURIComponent(event.session), 'receipt'];
  if (event.type === 'conversation.compacted') return ['#conversations/' + encodeURIComponent(event.agent ?? ''), 'conversation'];
  if (event.run !== undefined) return ['#swarms/' + encodeURIComponent(event.run), 'run'];
  if (event.id !== undefined && event.type !== 'memory.forgotten') return ['#memory/' + encodeURIComponent(event.id), 'open'];
  return undefined;
}

const groupOf = ({ type }) => {
  const [group] = type.split('.');
  const known = { run: 'swarm', state: 'swarm' }[group] ?? group;
  return GROUPS.includes(known) ? known : 'other';
};

function entry(event, isNew) {
  const link = target(event);
  return h(
    'li',
    { class: isNew ? 'event is-new' : 'event', 'data-group': event.type === 'memory.blocked' ? 'danger' : groupOf(event), 'data-seq': event.seq },
    clock(event.at),
    h('div', null, h('p', null, h('b', null, event.agent ?? 'owner'), ' ', sentence(event)), meta(h('code', null, event.type), 'via ' + event.via, '#' + event.seq)),
    link && h('a', { href: link[0], class: 'quiet-link', 'data-item': true }, link[1]),
  );
}

export function eventsPage() {
  let drawn;
  let most = SHOWN;
  /** What is older than the oldest that is kept was cleared away. */
  let isAll = false;
  const text = h('input', { type: 'search', placeholder: 'agent, type or word', 'aria-label': 'Narrow down', value: kept.text, on: { input: () => { kept.text = text.value; all(); } } });
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'Kind' });
  const list = h('div', { class: 'timeline' });
  const past = h('div', { class: 'actions center' });
  const element = h('div', { class: 'sheet' }, heading('Events', 'What agents store, recall and are refused, in every process, as it happens.'), h('div', { class: 'toolbar' }, tabs, text), list, past);

  function matches(event) {
    if (kept.group !== 'all' && groupOf(event) !== kept.group) return false;
    const word = kept.text.trim().toLowerCase();
    return word === '' || [event.agent ?? 'owner', event.type, sentence(event)].some((each) => each.toLowerCase().includes(word));
  }

  async function earlier() {
    most += SHOWN;
    const read = await attempt(readEarlier);
    isAll = read === 0;
    if (isAll) all();
  }

  function all() {
    fill(tabs, GROUPS.map((group) => button(group, () => { kept.group = group; all(); }, { 'aria-pressed': String(kept.group === group) })));
    const shown = feed.events.filter(matches).slice(-most).toReversed();
    fill(past, !isAll && hasEarlier() && button('Show earlier events', earlier));
    const days = new Map();
    for (const event of shown) days.set(day(event.at), [...(days.get(day(event.at)) ?? []), event]);
    drawn = shown.length;
    if (shown.length === 0) {
      const nothing = feed.events.length === 0;
      return fill(list, nothing ? empty('Quiet so far', 'Every write, recall, refusal and session appears here the moment it happens. Try it from another terminal:', 'keepsake memory add "Hello from another process."') : empty('Nothing fits', 'No event of the last ' + feed.events.length + ' fits what you chose above.'));
    }
    fill(list, [...days].map(([name, events]) => h('section', null, h('h2', null, name), h('ol', { 'aria-label': name + ', newest first' }, events.map((event) => entry(event, false))))));
  }

  const deaf = onEvent((event) => {
    if (!matches(event)) return;
    const first = list.querySelector('ol');
    if (drawn === 0 || drawn >= most || first === null || list.querySelector('h2').textContent !== day(event.at)) all();
    else {
      first.prepend(entry(event, true));
      drawn++;
    }
  });
  const unwatch = onFeed(all);
  return { element, key: (event, isTyping) => !isTyping && moveInList(list, event), leave: () => { deaf(); unwatch(); } };
}
`;
