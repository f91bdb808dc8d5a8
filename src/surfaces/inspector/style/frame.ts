/** Style: the frame of the page, its navigation, and pages of one or two panes. */
export const FRAME_CSS = `body { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); }
html[data-waiting]::before { content: ""; position: fixed; z-index: 9; inset: 0 0 auto; height: 2px; background: linear-gradient(90deg, transparent, var(--accent), transparent); }
header { display: flex; flex-direction: column; gap: 1.1rem; padding: 1.1rem 0.8rem 0.9rem; border-right: 1px solid var(--line); overflow-y: auto; }
.brand { display: flex; align-items: center; gap: 0.5rem; padding: 0 0.6rem; font-weight: 650; font-size: 1.05rem; letter-spacing: -0.01em; color: var(--text); text-decoration: none; }
.brand-mark { width: 1.35rem; height: 1.35rem; fill: var(--accent); }
nav#tabs { display: flex; flex-direction: column; gap: 0.1rem; flex: 1; }
nav#tabs a { display: flex; align-items: center; gap: 0.65rem; padding: 0.45rem 0.6rem; border-radius: 0.5rem; color: var(--quiet); text-decoration: none; white-space: nowrap; font-weight: 500; }
nav#tabs a:hover { background: var(--sunk); color: var(--text); }
nav#tabs a[aria-current] { background: var(--soft); color: var(--accent); }
.icon { width: 1.15rem; height: 1.15rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; }
.badge { margin-left: auto; min-width: 1.35rem; padding: 0 0.35rem; border-radius: 1rem; background: var(--danger); color: var(--card); font-size: 0.75rem; line-height: 1.35rem; text-align: center; font-weight: 600; }
.foot { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; padding: 0 0.6rem; }
.live { flex-basis: 100%; display: flex; align-items: center; gap: 0.5rem; font-size: 0.85rem; color: var(--quiet); }
.live::before { content: ""; width: 0.55rem; height: 0.55rem; border-radius: 50%; background: var(--warm-bar); }
.live[data-state="live"]::before { background: var(--good); box-shadow: 0 0 0 3px var(--good-soft); }
.live[data-state="reconnecting"] { color: var(--warm); font-weight: 600; }
.live[data-state="no session"]::before { background: var(--danger); }
.foot .quiet { padding-left: 0; }
main { min-width: 0; min-height: 0; height: 100dvh; overflow: hidden; }
body.alone { grid-template-columns: minmax(0, 1fr); }
#outside { height: 100dvh; overflow: auto; padding: 12vh 1.2rem 2rem; }
#outside > .card { max-width: 38rem; margin: 0 auto; padding: 1.6rem; }
#outside > .card > * + * { margin-top: 0.8rem; }
.sheet { height: 100%; overflow-y: auto; padding: 1.4rem 1.6rem 3rem; }
.sheet > * { max-width: 76rem; margin-left: auto; margin-right: auto; }
.sheet.narrow > * { max-width: 60rem; margin-left: 0; }
.heading { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.1rem 1rem; align-items: center; margin-bottom: 0.9rem; }
.heading > p { grid-column: 1; }
.heading > select { grid-column: 2; grid-row: 1 / 3; }
.toolbar { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin-bottom: 0.9rem; }
.toolbar > input { flex: 1 1 12rem; width: auto; }
.toolbar > .grow { flex: 1 1 8rem; } .toolbar > .grow > select { width: 100%; }
.split { display: grid; grid-template-columns: minmax(20rem, 10fr) minmax(0, 12fr); height: 100%; }
.split.slim { grid-template-columns: minmax(16rem, 21rem) minmax(0, 1fr); }
.finder { display: flex; flex-direction: column; min-height: 0; min-width: 0; padding: 1.4rem 1.2rem 0 1.6rem; border-right: 1px solid var(--line); }
.finder-body { flex: 1; min-height: 0; overflow-y: auto; margin: 0 -0.6rem 0 -0.6rem; padding: 0.1rem 0.6rem 1.2rem; }
.finder-body:has(> .viewport) { overflow: hidden; padding-bottom: 0; }
.detail { min-height: 0; overflow-y: auto; padding: 1.4rem 1.6rem 3rem; }
.detail > * { max-width: 52rem; }
.detail:has(.columns.wide) > * { max-width: none; }
.back { display: none; }
.searchbox { position: relative; display: block; }
.searchbox > kbd { position: absolute; right: 0.8rem; top: 50%; transform: translateY(-50%); pointer-events: none; }
.searchbox > input:is(:focus, :not(:placeholder-shown)) + kbd { display: none; }
/* The browser's own cross is blue. */
input[type='search']::-webkit-search-cancel-button { filter: grayscale(1); opacity: 0.7; cursor: pointer; }
/* What is shown belongs to the question before, as long as the answer to this one takes. */
[aria-busy='true'] .finder-body { opacity: 0.55; transition: opacity 0.15s 0.15s; }
.searchbox input { font-size: 1.05rem; padding: 0.6rem 0.8rem; box-shadow: var(--shade); }
.filters { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0.4rem; margin: 0.5rem 0 0; }
.filters > * { font-size: 0.85rem; padding-left: 0.55rem; min-height: 2.1rem; padding-top: 0.25rem; padding-bottom: 0.25rem; }
.status-line { display: flex; align-items: center; justify-content: space-between; gap: 0.6rem; min-height: 2.3rem; }
.newer { min-height: 0; padding: 0.1rem 0.7rem; border-radius: 1rem; font-size: 0.8rem; background: var(--soft); color: var(--accent); border-color: transparent; }
.split:has(.finder-body > .empty > .command):not(.is-open) { grid-template-columns: minmax(0, 1fr); }
.split:has(.finder-body > .empty > .command):not(.is-open) > .detail { display: none; }
.split:has(.finder-body > .empty > .command):not(.is-open) > .finder { border-right: 0; }
@media (max-width: 74rem) {
  body { grid-template-columns: 12.25rem minmax(0, 1fr); }
  .filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (max-width: 56rem) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
  header { display: grid; grid-template-columns: auto 1fr; gap: 0.4rem 0.8rem; padding: 0.6rem 0 0; border-right: 0; border-bottom: 1px solid var(--line); overflow: visible; }
  .brand { grid-row: 1; grid-column: 1; padding-left: 1rem; }
  .foot { grid-row: 1; grid-column: 2; justify-content: flex-end; flex-wrap: nowrap; padding-right: 1rem; }
  .live { flex-basis: auto; }
  #help, .searchbox > kbd { display: none; }
  nav#tabs { grid-column: 1 / 3; grid-row: 2; flex-direction: row; overflow-x: auto; padding: 0 0.6rem 0.45rem; scrollbar-width: none; mask-image: linear-gradient(90deg, #000 calc(100% - 2rem), transparent); }
  nav#tabs a { gap: 0.4rem; padding: 0.4rem 0.65rem; }
  nav#tabs a:last-child { margin-right: 1.6rem; }
  .badge { margin-left: 0; }
  main, #outside { height: auto; min-height: 0; }
  .split, .split.slim { grid-template-columns: minmax(0, 1fr); }
  .finder { padding: 0.9rem 1rem 0; border-right: 0; }
  .detail { display: none; padding: 0.9rem 1rem 2rem; }
  .is-open .finder { display: none; }
  .is-open .detail { display: block; }
  .back { display: inline-flex; }
  .sheet { padding: 0.9rem 1rem 2rem; }
  input, select, textarea, .filters > * { font-size: 16px; }
  .filters { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .heading { margin-bottom: 0.6rem; }
  .finder > .heading > p { display: none; }
}
@media (max-width: 38rem) {
  .filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
