/** Browser script: how much there is, by agent and by source. */
export const OVERVIEW_JS = String.raw`
import { call } from './api.js';
import { fill, h } from './dom.js';
import { attempt, bar, button, table } from './widgets.js';

const PAGE = 500;
/** Counting reads the memories; beyond this, only on request. */
const AT_ONCE = 10;

function add(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function chart(counts) {
  const most = Math.max(1, ...counts.values());
  const ordered = [...counts].sort((a, b) => b[1] - a[1]);
  return h('div', { class: 'chart' }, ordered.map(([name, count]) => bar(name, count, { share: count / most, text: String(count) })));
}

export function overviewPage() {
  const gone = new AbortController();
  const agents = h('div', null);
  const counted = h('div', null);
  const element = h('section', null, h('h1', null, 'Overview'), agents, counted);
  const by = { agent: new Map(), source: new Map(), category: new Map() };
  const both = new Map();
  let total = 0;
  let after;

  function draw(isWhole) {
    const sources = [...by.source.keys()].sort();
    const rows = [...by.agent.keys()].sort().map((agent) => [
      agent,
      ...sources.map((source) => both.get(agent + '\n' + source) ?? 0),
      by.agent.get(agent),
    ]);
    fill(
      counted,
      h('p', { role: 'status' }, isWhole ? total + ' live memories.' : 'The newest ' + total + ' live memories.'),
      !isWhole && button('Count on', count),
      h('h2', null, 'By agent'),
      chart(by.agent),
      h('h2', null, 'By source'),
      chart(by.source),
      h('h2', null, 'By category'),
      chart(by.category),
      rows.length > 0 && [h('h2', null, 'Agents and sources'), table(['agent', ...sources, 'together'], rows)],
    );
  }

  async function count() {
    for (let pages = 0; pages < AT_ONCE; pages++) {
      const page = await attempt(() => call('GET /v1/memory', { query: { limit: PAGE, after }, signal: gone.signal }));
      if (page === undefined) return;
      for (const { agent, source, category } of page) {
        add(by.agent, agent);
        add(by.source, source);
        add(by.category, category);
        add(both, agent + '\n' + source);
      }
      total += page.length;
      after = page.at(-1)?.id ?? after;
      draw(page.length < PAGE);
      if (page.length < PAGE) return;
    }
  }

  attempt(async () => {
    const all = await call('GET /v1/agents', { signal: gone.signal });
    const facts = all.reduce((sum, agent) => sum + agent.facts, 0);
    fill(agents, h('p', null, all.length + (all.length === 1 ? ' agent' : ' agents') + ' with ' + facts + ' live facts.'));
  });
  count();
  return { element, leave: () => gone.abort() };
}
`;
