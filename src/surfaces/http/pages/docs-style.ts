/** Style of the API's page: the colours and type of the inspector, for a page that scrolls as a whole. */
import { BASE_CSS } from '../../inspector/index.ts';

export const DOCS_CSS = `${BASE_CSS}
html { scroll-padding-top: 1rem; }
body { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); height: auto; min-height: 100dvh; overflow: visible; }
body > nav { position: sticky; top: 0; height: 100dvh; overflow-y: auto; display: flex; flex-direction: column; gap: 0.1rem; padding: 1.1rem 0.8rem; border-right: 1px solid var(--line); }
body > nav > a { display: flex; justify-content: space-between; padding: 0.35rem 0.6rem; border-radius: 0.5rem; color: var(--quiet); text-decoration: none; font-weight: 500; }
body > nav > a:hover { background: var(--sunk); color: var(--text); }
body > nav > a.brand { justify-content: flex-start; align-items: center; gap: 0.5rem; margin-bottom: 0.8rem; font-weight: 650; font-size: 1.05rem; color: var(--text); }
.brand svg { width: 1.35rem; height: 1.35rem; fill: var(--accent); }
main { padding: 1.8rem 2rem 4rem; max-width: 66rem; }
main > * + p, main > pre { margin-top: 0.8rem; }
section > h2 { margin: 2.2rem 0 0.6rem; font-size: 1.15rem; }
section:target > h2 { color: var(--accent); }
.route { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; }
.route + .route { margin-top: 0.4rem; }
.route[open] { border-color: var(--edge); }
.route > summary { display: grid; grid-template-columns: 4.2rem minmax(10rem, 20rem) minmax(0, 1fr) auto; gap: 0.2rem 0.8rem; align-items: baseline; padding: 0.55rem 0.9rem; cursor: pointer; list-style: none; border-radius: 0.6rem; }
.route > summary::-webkit-details-marker { display: none; }
.route > summary:hover { background: var(--sunk); }
.method { font-size: 0.75rem; letter-spacing: 0.03em; color: var(--accent); }
.method.delete { color: var(--danger); } .method.put, .method.patch { color: var(--warm); } .method.get { color: var(--good); }
.part { color: var(--accent); }
.does { color: var(--quiet); font-size: 0.9rem; }
.role { font-size: 0.78rem; line-height: 1.4rem; padding: 0 0.5rem; border-radius: 1rem; background: var(--sunk); color: var(--quiet); }
.route-body { padding: 0.2rem 0.9rem 1rem; }
.route-body > * + * { margin-top: 0.6rem; }
h4 { margin: 0; font-size: 0.85rem; color: var(--quiet); font-weight: 600; }
.required { font-size: 0.75rem; font-weight: 600; color: var(--warm); }
td:first-child { white-space: nowrap; } td:nth-child(2) { width: 16rem; }
@media (max-width: 56rem) {
  body { grid-template-columns: minmax(0, 1fr); }
  body > nav { z-index: 1; height: auto; flex-direction: row; overflow-x: auto; padding: 0.5rem 1rem; background: var(--back); border-right: 0; border-bottom: 1px solid var(--line); }
  body > nav > a { flex: none; }
  body > nav > a.brand { margin: 0; }
  body > nav small { display: none; }
  main { padding: 1.2rem 1rem 3rem; }
  html { scroll-padding-top: 4rem; }
  .route > summary { grid-template-columns: minmax(0, 1fr) auto; }
  .route > summary > code { grid-column: 1 / 3; grid-row: 2; }
  .does { grid-column: 1 / 3; }
  .role { grid-column: 2; grid-row: 1; }
}
`;
