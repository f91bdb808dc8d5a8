/** Browser script: what happens in the workspace, newest first, as it happens. */
export const EVENTS_JS = `
import { fill, h, time } from './dom.js';
import { feed, onEvent, onFeed } from './feed.js';

const ENVELOPE = ['seq', 'type', 'at', 'agent', 'session', 'via'];
const kept = { types: '', agent: '' };

function summary(event) {
  if (event.type === 'session.receipt') return 'prompt ' + event.loop + ': ' + event.receipt.memories.length + (event.receipt.memories.length === 1 ? ' memory' : ' memories') + ', about ' + event.receipt.total.tokens + ' tokens';
  const fields = Object.entries(event).filter(([name]) => !ENVELOPE.includes(name) && name !== 'id');
  return fields.map(([name, value]) => name + ' ' + (typeof value === 'object' ? JSON.stringify(value) : value)).join(', ');
}

function entry(event, isNew) {
  return h(
    'li',
    { class: isNew ? 'event is-new' : 'event', 'data-group': event.type.split('.')[0] },
    h('span', { class: 'small' }, '#' + event.seq + ' ', time(event.at)),
    h('b', null, event.type),
    h('span', null, [event.agent ?? 'owner', event.via].join(' · ')),
    event.id !== undefined && event.type !== 'memory.forgotten' && h('a', { href: '#memory/' + encodeURIComponent(event.id) }, event.id),
    event.quarantineId !== undefined && h('a', { href: '#guard' }, 'review'),
    event.type === 'session.receipt' && event.session !== undefined && h('a', { href: '#sessions/' + encodeURIComponent(event.session) }, 'receipt'),
    h('span', { class: 'small wide' }, summary(event)),
  );
}

export function eventsPage() {
  const type = h('input', { type: 'search', placeholder: 'type, for example memory.', 'aria-label': 'Type', value: kept.types });
  const agent = h('input', { type: 'search', placeholder: 'agent', 'aria-label': 'Agent', value: kept.agent });
  const list = h('ol', { class: 'timeline', 'aria-label': 'Events, newest first' });
  const empty = h('p', { class: 'small' }, 'Nothing has happened yet. What agents store, recall or are refused appears here at once.');
  const element = h('section', null, h('div', { class: 'filters' }, type, agent), empty, list);

  function matches(event) {
    const name = agent.value.trim();
    return event.type.includes(type.value.trim()) && (name === '' || (event.agent ?? '').includes(name));
  }

  function draw() {
    Object.assign(kept, { types: type.value, agent: agent.value });
    fill(list, feed.events.filter(matches).toReversed().map((event) => entry(event, false)));
    empty.hidden = list.childElementCount > 0;
  }

  type.addEventListener('input', draw);
  agent.addEventListener('input', draw);
  const deaf = onEvent((event) => {
    if (!matches(event)) return;
    list.prepend(entry(event, true));
    empty.hidden = true;
    while (list.childElementCount > feed.events.length) list.lastElementChild.remove();
  });
  const unwatch = onFeed(draw);
  return { element, leave: () => { deaf(); unwatch(); } };
}
`;
