/** Style: the parts that several pages use: rows, chips, bars, cards, empty places, messages at the edge. */
export const PARTS_CSS = `.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem 1.1rem; }
.list > li + li { margin-top: 0.35rem; }
.item { display: block; padding: 0.6rem 0.8rem; border: 1px solid transparent; border-radius: 0.6rem; color: inherit; text-decoration: none; }
.item > span { display: block; }
.item:hover { background: var(--card); border-color: var(--line); }
.item:focus-visible { outline-offset: -2px; }
.item[aria-current], .hits .item[aria-current] { background: var(--card); border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.line { overflow-wrap: anywhere; }
.item .meta, .meta { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; }
.meta > :not(.chip):has(+ :not(.chip))::after { content: "·"; margin-left: 0.5rem; color: var(--edge); }
.viewport { height: 100%; overflow-y: auto; overflow-anchor: none; margin: 0 -0.6rem; padding: 0 0.6rem; }
.rows { position: relative; }
.row { position: absolute; top: 0; left: 0; right: 0; height: 68px; padding: 2px 0; }
.row > .item { height: 64px; padding: 0.5rem 0.8rem; }
.row .line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.row .meta { flex-wrap: nowrap; overflow: hidden; white-space: nowrap; margin-top: 0.1rem; }
.row .meta > span { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.is-coming .line, .is-coming .meta { background: var(--track); border-radius: 0.3rem; height: 0.7rem; width: 70%; margin: 0.3rem 0 0.5rem; }
.is-coming .meta { width: 35%; }
.is-leaving .line { text-decoration: line-through; }
.is-leaving .line, .is-leaving .why, .is-leaving .factors { opacity: 0.55; }
.hits .item:hover { border-color: var(--edge); }
.hits .item { background: var(--card); border-color: var(--line); padding: 0.8rem 0.95rem; }
.hits .factors { gap: 0.45rem 0.8rem; }
.hits .factor { font-size: 0.75rem; }
.hits > li + li { margin-top: 0.6rem; }
.item-head { display: flex !important; gap: 0.8rem; justify-content: space-between; align-items: baseline; }
.item-head > time { flex: none; }
.hit-head { display: flex !important; gap: 0.8rem; justify-content: space-between; }
.score { flex: none; white-space: nowrap; overflow-wrap: normal; font-variant-numeric: tabular-nums; font-weight: 650; color: var(--accent); }
.hits .meta { margin-top: 0.25rem; }
.why { margin-top: 0.35rem; }
.chip { display: inline-block; max-width: 100%; padding: 0 0.5rem; border-radius: 1rem; background: var(--sunk); color: var(--quiet); font-size: 0.78rem; line-height: 1.4rem; font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.row .chip { flex: 0 1 auto; max-width: 40%; }
.row .meta > :last-child { flex: none; }
.chip.danger { background: var(--danger-soft); color: var(--danger); }
.chip.warm { background: var(--warm-soft); color: var(--warm); }
.chip.good { background: var(--good-soft); color: var(--good); }
.factors { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.5rem 1rem; margin-top: 0.6rem; }
.factor { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.15rem 0.4rem; font-size: 0.78rem; line-height: 1.25; }
.factor-name { color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.factor-value { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { grid-column: 1 / 3; height: 0.3rem; border-radius: 0.2rem; background: var(--track); overflow: hidden; }
.bar-part { display: block; height: 100%; border-radius: 0.2rem; background: var(--bar); }
.bar-part.strong { background: var(--accent); }
.bar.middle { position: relative; overflow: visible; }
.bar.middle::before { content: ""; position: absolute; left: 50%; top: -2px; bottom: -2px; width: 1px; background: var(--quiet); }
.bar-part.less { position: absolute; right: 50%; background: var(--warm-bar); border-radius: 0.2rem 0 0 0.2rem; }
.bar-part.more { position: absolute; left: 50%; border-radius: 0 0.2rem 0.2rem 0; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.9rem 0; }
.actions:empty { margin: 0; }
.actions.end { justify-content: flex-end; margin-bottom: 0; }
.actions.center { justify-content: center; }
.detail-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; margin-bottom: 0.7rem; }
.detail-head > .score, .detail-head > .quiet { margin-left: auto; }
.content { font: inherit; font-size: 1.02rem; max-height: 24rem; overflow: auto; padding: 0.9rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
.content + dl { margin-top: 0.9rem; }
.content.tall { max-height: none; }
.memory > h2 { margin: 1.5rem 0 0.5rem; }
.history > li { border-left: 2px solid var(--line); padding: 0 0 1rem 1rem; position: relative; }
.history > li::before { content: ""; position: absolute; left: -5px; top: 0.5rem; width: 8px; height: 8px; border-radius: 50%; background: var(--edge); }
.history > li:first-child::before { background: var(--accent); }
.history p { display: flex; flex-wrap: wrap; gap: 0 0.3rem; align-items: center; margin-bottom: 0.3rem; }
.history b { color: var(--text); }
.changed { display: flex; flex-wrap: wrap; gap: 0 0.8rem; }
.changed + pre { margin-top: 0.3rem; }
.edit label { display: block; margin-bottom: 0.8rem; }
.edit label > span { display: block; color: var(--quiet); font-size: 0.85rem; margin-bottom: 0.2rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 0 1rem; align-items: start; }
.columns.wide { grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1rem; margin-top: 1.2rem; }
.empty { text-align: center; max-width: 34rem; margin: 12vh auto 2rem; color: var(--quiet); }
.empty h2 { color: var(--text); margin-bottom: 0.3rem; }
.empty .command { margin-top: 1rem; }
.command { display: flex; align-items: center; gap: 0.3rem; padding-right: 0.4rem; background: var(--sunk); border-radius: 0.5rem; text-align: left; }
.command > pre { flex: 1; min-width: 0; overflow-x: auto; white-space: pre; color: var(--text); background: none; }
.command > button { flex: none; }
.empty-mark { width: 3.4rem; height: 3.4rem; padding: 0.9rem; border-radius: 50%; background: var(--soft); fill: none; stroke: var(--accent); stroke-width: 1.3; stroke-linejoin: round; stroke-linecap: round; margin-bottom: 0.9rem; }
.problem { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.6rem; margin: 0.8rem 0; padding: 0.7rem 0.9rem; border: 1px solid var(--danger); border-radius: 0.6rem; background: var(--danger-soft); color: var(--danger); overflow-wrap: anywhere; }
.segments { display: inline-flex; flex-wrap: wrap; gap: 0.15rem; padding: 0.2rem; border-radius: 0.6rem; background: var(--sunk); }
.segments > * { border: 0; background: none; min-height: 0; padding: 0.25rem 0.75rem; border-radius: 0.45rem; color: var(--quiet); font-size: 0.87rem; font-weight: 500; text-decoration: none; }
.segments > :hover { color: var(--text); }
.segments > [aria-pressed="true"], .segments > [aria-current] { background: var(--card); color: var(--text); box-shadow: var(--shade); }
#toasts { position: fixed; right: 1.2rem; bottom: 1.2rem; z-index: 5; display: grid; gap: 0.5rem; width: min(26rem, calc(100vw - 2.4rem)); }
.toast { display: flex; align-items: center; gap: 0.8rem; padding: 0.6rem 0.6rem 0.6rem 1rem; border-radius: 0.7rem; background: var(--text); color: var(--back); box-shadow: 0 8px 32px #0003; font-size: 0.92rem; }
.toast > span { flex: 1; overflow-wrap: anywhere; }
.toast.error { background: var(--danger); color: var(--card); }
.toast > button { border: 0; background: none; color: inherit; min-height: 0; }
.toast > button:hover { background: #8884; }
.toast-action { font-weight: 650; text-decoration: underline; text-underline-offset: 0.2em; }
.toast-close { padding: 0.2rem 0.5rem; }
.help { width: min(54rem, calc(100vw - 2rem)); }
.help-groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0 2rem; }
.help dl { grid-template-columns: minmax(4.5rem, max-content) minmax(0, 1fr); align-items: baseline; }
.help kbd + kbd { margin-left: 0.2rem; }
@media (max-width: 74rem) {
  .row .meta > span:nth-last-child(2) { display: none; }
}
@media (max-width: 56rem) {
  #toasts { right: 1rem; left: 1rem; bottom: 1rem; width: auto; }
  .factors { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .empty { margin-top: 6vh; }
  button kbd, .for-keyboards { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .toast { animation: rise 0.18s ease-out; }
  .is-new { animation: arrive 2s; }
  html[data-waiting]::before { animation: pass 1s linear infinite; }
  @keyframes pass { from { transform: translateX(-100%); } to { transform: translateX(100%); } }
  @keyframes rise { from { transform: translateY(0.6rem); opacity: 0; } }
  @keyframes arrive { from { background: var(--soft); } }
}
`;
