/** Style: what single pages have of their own: timeline, messages, receipts, charts, working memory. */
export const VIEWS_CSS = `.timeline section > h2 { position: sticky; top: -1.4rem; z-index: 1; padding: 0.5rem 0; background: var(--back); color: var(--quiet); font-size: 0.87rem; }
.event { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; padding: 0.5rem 0.6rem 0.5rem 1rem; border-radius: 0 0.5rem 0.5rem 0; border-left: 3px solid var(--edge); margin-bottom: 0.15rem; }
.event:hover { background: var(--card); }
.event > time { color: var(--quiet); font-size: 0.85rem; font-variant-numeric: tabular-nums; }
.event p { overflow-wrap: anywhere; }
.event[data-group="memory"] { border-color: var(--t0); }
.event[data-group="session"] { border-color: var(--t2); }
.event[data-group="conversation"] { border-color: var(--t4); }
.event[data-group="swarm"] { border-color: var(--t1); }
.event[data-group="danger"] { border-color: var(--danger); }
.refused > .content { background: var(--danger-soft); border-color: transparent; max-height: 14rem; }
.refused { margin-bottom: 0.8rem; }
.refused summary { cursor: pointer; margin: 0.7rem 0 0.5rem; }
.refused > .actions { margin-bottom: 0; }
.messages { display: grid; gap: 0.7rem; }
.message { max-width: 44rem; padding: 0.6rem 0.9rem; border-radius: 0.75rem; background: var(--card); border: 1px solid var(--line); justify-self: start; min-width: 0; overflow-wrap: anywhere; }
.message > p b { color: var(--text); }
.message[data-kind="user"] { background: var(--soft); border-color: transparent; justify-self: end; }
.message[data-kind="system"], .message[data-kind="tool"] { background: var(--sunk); border-color: transparent; font-size: 0.9rem; }
.message[data-kind="summary"] { background: var(--warm-soft); border-color: transparent; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; }
.divider { display: flex; align-items: center; gap: 0.8rem; color: var(--quiet); font-size: 0.8rem; }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.divider.strong { color: var(--warm); }
.detail > nav.segments { margin-bottom: 1rem; }
.diff { padding: 0.6rem 0; }
.diff > span { display: block; padding: 0 0.9rem; }
.diff .added { background: var(--good-soft); color: var(--good); }
.diff .removed { background: var(--danger-soft); color: var(--danger); }
.prompt + .prompt { margin-top: 1rem; }
.stack { display: flex; gap: 2px; height: 0.8rem; border-radius: 0.4rem; overflow: hidden; background: var(--track); }
.stack-part { min-width: 3px; }
.stack-key { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.15rem 1rem; margin: 0.6rem 0 0.4rem; font-size: 0.88rem; }
.stack-key > li { display: flex; align-items: baseline; gap: 0.45rem; }
.stack-dot { width: 0.6rem; height: 0.6rem; border-radius: 0.2rem; flex: none; }
.tone-0 { background: var(--t0); } .tone-1 { background: var(--t1); } .tone-2 { background: var(--t2); } .tone-3 { background: var(--t3); } .tone-4 { background: var(--t4); } .tone-5 { background: var(--t5); }
.entries > li { padding: 0.7rem 0; border-top: 1px solid var(--line); }
.entries .detail-head { margin-bottom: 0.2rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 0.8rem; }
.tile { padding: 0.8rem 1rem; }
.figure { font-size: 1.7rem; font-weight: 650; letter-spacing: -0.02em; line-height: 1.3; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0.8rem; margin-top: 0.8rem; align-items: start; }
.charts.three { grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); }
.chart { margin: 0; }
.chart.is-wide { grid-column: 1 / -1; }
.chart svg { display: block; width: 100%; margin-top: 0.6rem; overflow: visible; touch-action: pan-y; }
.grid { stroke: var(--line); } .mark { stroke: var(--edge); stroke-dasharray: 3 3; }
.tick { font-size: 11px; fill: var(--quiet); } .tick.nothing { font-size: 13px; }
.area { fill: var(--t0); opacity: 0.14; }
.stroke { fill: none; stroke: var(--t0); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.dot { fill: var(--card); stroke: var(--t0); stroke-width: 1.5; }
.bars { fill: var(--t0); } .bars.warm { fill: var(--t1); } .bars.pale { fill: var(--edge); }
.columns > .card > h2 { margin-bottom: 0.5rem; }
.legend > b { margin-right: 0.6rem; }
.legend { min-height: 1.4rem; margin-top: 0.3rem; font-variant-numeric: tabular-nums; }
.key { margin-right: 1rem; }
.key::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; border-radius: 0.2rem; margin-right: 0.35rem; background: var(--t0); }
.key.warm::before { background: var(--t1); } .key.pale::before { background: var(--edge); }
.groups .factor { font-size: 0.88rem; margin-top: 0.5rem; }
.groups .bar { height: 0.4rem; }
.groups > .small { margin-top: 0.6rem; }
.tree { font-size: 0.9rem; overflow-wrap: anywhere; }
.json .json { margin-left: 1.1rem; }
.json > summary { cursor: pointer; }
.json-key { font-weight: 600; } .json-string { white-space: pre-wrap; } .json-number { color: var(--accent); } .json-boolean, .json-null { color: var(--warm); }
.changes { font-size: 0.88rem; display: grid; gap: 0.2rem; }
.changes > li { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr) auto; overflow-wrap: anywhere; }
@media (max-width: 56rem) {
  .event { grid-template-columns: minmax(0, 1fr) auto; }
  .event > time { grid-column: 1 / 3; font-size: 0.78rem; }
  .timeline section > h2 { top: -0.9rem; }
  .tile:last-child:nth-child(odd) { grid-column: 1 / -1; }
}
`;
