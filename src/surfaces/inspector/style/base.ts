/** Style: colours, type and the elements that look the same everywhere. Every text has at least 4.5 to 1 to its ground. */
export const BASE_CSS = `:root {
  color-scheme: light dark;
  --back: #f7f6f3; --card: #ffffff; --sunk: #f2f0ec; --text: #1d1b19; --quiet: #66625c; --line: #e4e1db; --edge: #cfcbc3;
  --accent: #0b6e69; --accent-ink: #ffffff; --soft: #e2f1ef; --track: #e9e6e0; --bar: #7fb5b0;
  --danger: #b3261e; --danger-soft: #fbeae8; --good: #1f7a3f; --good-soft: #e4f3e8; --warm: #8a5a00; --warm-soft: #fbf0d9; --warm-bar: #d9a441;
  --shade: 0 1px 2px #1d1b1910, 0 4px 16px #1d1b190a;
  --t0: #0b6e69; --t1: #d9a441; --t2: #6d7fb8; --t3: #b86d86; --t4: #7a9a4b; --t5: #9a938a;
  font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #141414; --card: #1c1c1d; --sunk: #252526; --text: #ecebe9; --quiet: #a5a29d; --line: #303031; --edge: #454546;
    --accent: #5cc9bf; --accent-ink: #0d2a28; --soft: #17332f; --track: #333335; --bar: #3f8a83;
    --danger: #ff8f86; --danger-soft: #3a2220; --good: #7fd69c; --good-soft: #1c3324; --warm: #e6bb66; --warm-soft: #362b16; --warm-bar: #c48f35;
    --shade: 0 1px 2px #0006;
    --t0: #5cc9bf; --t1: #d9a441; --t2: #8b9de0; --t3: #d98aa5; --t4: #a2c46c; --t5: #8a857e;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); height: 100dvh; overflow: hidden; }
h1, h2, h3, p { margin: 0; }
h1 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -0.01em; }
h2 { font-size: 1rem; line-height: 1.4; }
h3 { font-size: 0.85rem; color: var(--quiet); font-weight: 600; margin: 1.1rem 0 0.4rem; }
a { color: var(--accent); text-underline-offset: 0.15em; overflow-wrap: anywhere; }
code, pre, kbd { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", monospace; }
code { font-size: 0.87em; overflow-wrap: anywhere; }
kbd { font-size: 0.75rem; line-height: 1; padding: 0.15rem 0.35rem; border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 0.3rem; color: var(--quiet); background: var(--card); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 0.6rem 0.8rem; background: var(--sunk); border-radius: 0.5rem; font-size: 0.83rem; line-height: 1.55; }
/* Each line of a text runs in the direction of its own words, and a name never turns its neighbours around. */
pre, .said, textarea { unicode-bidi: plaintext; }
.chip, .meta > *, .item b, dd, td { unicode-bidi: isolate; }
mark { background: var(--warm-soft); color: inherit; border-radius: 0.2rem; box-shadow: 0 0 0 0.1em var(--warm-soft); }
ol, ul { margin: 0; padding: 0; list-style: none; }
ul.plain { list-style: disc; padding-left: 1.2rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus, .detail:focus { outline: none; }
input, select, textarea, button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); padding: 0.4rem 0.65rem; min-height: 2.35rem; }
input, textarea { width: 100%; }
textarea { resize: vertical; line-height: 1.5; }
input::placeholder { color: var(--quiet); opacity: 1; }
input:hover, select:hover, textarea:hover { border-color: var(--edge); }
select { appearance: none; padding-right: 1.7rem; text-overflow: ellipsis; background-image: linear-gradient(45deg, transparent 50%, var(--quiet) 50%), linear-gradient(135deg, var(--quiet) 50%, transparent 50%); background-position: calc(100% - 14px) 50%, calc(100% - 10px) 50%; background-size: 4px 4px; background-repeat: no-repeat; }
button { cursor: pointer; font-weight: 500; display: inline-flex; align-items: center; justify-content: center; gap: 0.45rem; white-space: nowrap; }
button:hover { border-color: var(--edge); background: var(--sunk); }
button:disabled, select:disabled { opacity: 0.55; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.main:hover { filter: brightness(1.08); }
button.main kbd { background: none; border-color: currentColor; color: inherit; }
button.danger { color: var(--danger); }
button.danger:hover { background: var(--danger-soft); border-color: var(--danger); }
button.quiet { border-color: transparent; background: none; color: var(--quiet); min-height: 0; padding: 0.15rem 0.4rem; font-size: 0.85rem; }
button.quiet:hover { color: var(--text); background: var(--sunk); }
.quiet-link { color: var(--quiet); font-size: 0.85rem; text-decoration: none; }
.quiet-link:hover { color: var(--accent); text-decoration: underline; }
.small { color: var(--quiet); font-size: 0.85rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr); gap: 0.3rem 1.2rem; margin: 0; font-size: 0.92rem; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; min-width: 32rem; }
th { text-align: left; color: var(--quiet); font-weight: 500; }
th, td { padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
dialog { background: var(--card); color: inherit; border: 1px solid var(--line); border-radius: 0.8rem; padding: 1.2rem; width: min(28rem, calc(100vw - 2rem)); box-shadow: 0 12px 48px #0004; }
dialog::backdrop { background: #0007; }
::selection { background: var(--soft); }
* { scrollbar-width: thin; scrollbar-color: var(--edge) transparent; }
`;
