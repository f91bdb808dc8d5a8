/** The look of the inspector: follows the system between light and dark, and fits a phone. */
export const INSPECTOR_CSS = `:root {
  color-scheme: light dark;
  --back: #f6f6f4; --card: #fff; --text: #1d1d1b; --quiet: #5f5f5a; --line: #d9d9d4;
  --accent: #2457c5; --track: #e4e4df; --danger: #b3261e; --good: #1f7a3f; --mark: #eaf0fd;
  font: 15px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #161618; --card: #1f1f22; --text: #ececea; --quiet: #a3a39d; --line: #38383c;
    --accent: #8fb0ff; --track: #35353a; --danger: #ff8f86; --good: #7fd69c; --mark: #26304a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); min-height: 100vh; display: flex; flex-direction: column; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: center; padding: 0.6rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 1; }
nav { display: flex; gap: 0.25rem; overflow-x: auto; flex: 1; }
nav a { padding: 0.35rem 0.7rem; border-radius: 0.4rem; color: inherit; text-decoration: none; white-space: nowrap; }
nav a[aria-current] { background: var(--mark); color: var(--accent); font-weight: 600; }
a { color: var(--accent); overflow-wrap: anywhere; }
.live { font-size: 0.85rem; color: var(--quiet); }
.live::before { content: "● "; color: var(--danger); }
.live[data-state="live"]::before { color: var(--good); }
main { flex: 1; width: 100%; max-width: 90rem; margin: 0 auto; padding: 1rem; }
main:focus { outline: none; }
footer { padding: 0.5rem 1rem; color: var(--quiet); font-size: 0.85rem; }
kbd { border: 1px solid var(--line); border-radius: 0.25rem; padding: 0 0.3rem; background: var(--card); }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 1.2rem 0 0.4rem; } h3 { font-size: 0.95rem; margin: 1rem 0 0.3rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
input, select, textarea, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.4rem 0.6rem; }
input, textarea { width: 100%; }
button { cursor: pointer; }
button.danger { color: var(--danger); }
#search { font-size: 1.1rem; padding: 0.6rem 0.8rem; }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.5rem 0; }
.filters > * { flex: 1 1 8rem; width: auto; min-width: 0; }
.filters > select:only-child { flex: 0 1 12rem; }
.split { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.list, .timeline, .history { list-style: none; margin: 0; padding: 0; }
.list > li + li { margin-top: 0.5rem; }
.card, .memory { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.75rem 1rem; }
.memory { color: inherit; text-decoration: none; }
.memory:hover { border-color: var(--accent); }
.memory[aria-current] { border-color: var(--accent); background: var(--mark); }
.memory > span { display: block; }
.line { overflow-wrap: anywhere; }
.small { color: var(--quiet); font-size: 0.85rem; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.6rem 0; align-items: center; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.3rem 0; padding: 0.6rem 0.8rem; background: var(--back); border-radius: 0.4rem; font: 0.85rem/1.5 ui-monospace, monospace; }
pre.content { font: inherit; max-height: 24rem; overflow: auto; }
.factors { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 1.2rem; margin-top: 0.3rem; }
.factor { display: grid; grid-template-columns: 4.5rem 1fr 3.6rem; gap: 0.5rem; align-items: center; font-size: 0.8rem; }
.factor-name { color: var(--quiet); overflow-wrap: anywhere; }
.factor-name:empty { display: none; }
.factor-name:empty ~ .bar { grid-column: 1 / 3; }
.factor-value { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { height: 0.5rem; border-radius: 0.25rem; background: var(--track); overflow: hidden; }
.bar-part { display: block; height: 100%; background: var(--accent); }
.chart { max-width: 40rem; }
.chart .factor { grid-template-columns: minmax(6rem, 12rem) 1fr 4rem; font-size: 0.9rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
.card > :first-child { margin-top: 0; }
article.card { margin-bottom: 1rem; }
.detail > .back { margin-bottom: 0.6rem; }
.history > li { border-top: 1px solid var(--line); padding: 0.4rem 0; }
.history p { margin: 0; }
.edit label { display: block; margin-bottom: 0.6rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th { text-align: left; color: var(--quiet); font-weight: 500; }
th, td { padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td > .factor { min-width: 12rem; grid-template-columns: 4.5rem 1fr 6rem; }
.event { display: flex; flex-wrap: wrap; gap: 0 0.8rem; align-items: baseline; padding: 0.4rem 0.8rem; border-left: 3px solid var(--line); margin-bottom: 0.4rem; background: var(--card); }
.event[data-group="memory"] { border-color: var(--accent); }
.event[data-group="session"] { border-color: var(--good); }
.wide { flex-basis: 100%; }
.notice { margin: 0; padding: 0.5rem 1rem; background: var(--mark); }
.notice.error { color: var(--danger); }
dialog { background: var(--card); color: inherit; border: 1px solid var(--line); border-radius: 0.6rem; max-width: 28rem; }
dialog::backdrop { background: #0008; }
.no-session { max-width: 44rem; margin: 2rem auto; }
@media (min-width: 60rem) {
  .split:has(:where(.detail:not([hidden]):not(:empty))) { grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); }
  .detail { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow: auto; }
  .split:has(article) { grid-template-columns: 20rem minmax(0, 1fr); }
}
@media (max-width: 59.99rem) {
  .is-open .finder { display: none; }
  .scroll table { min-width: 40rem; }
  nav { order: 1; flex-basis: 100%; gap: 0; justify-content: space-between; }
  nav a { padding: 0.35rem 0.4rem; font-size: 0.9rem; }
  .live { margin-left: auto; }
  input, select, textarea { font-size: 16px; }
}
@media (prefers-reduced-motion: no-preference) {
  .is-new { animation: arrive 1.5s; }
  @keyframes arrive { from { background: var(--mark); } }
}
`;
