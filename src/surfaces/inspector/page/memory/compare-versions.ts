/** Compares two versions of a memory: which words were removed and which were added. */
import type { RecordVersion } from '../api.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { wordDiff } from '../dom/word-diff.ts';
import { type Option, select } from '../parts/controls.ts';

const TAGS = { same: 'span', removed: 'del', added: 'ins' } as const;

function drawn(before: RecordVersion, after: RecordVersion): Child {
  if (before.content === after.content) {
    return h('p', { class: 'small' }, 'Both versions have the same text.');
  }
  const parts = wordDiff(before.content, after.content);
  return h(
    'pre',
    { class: 'words-diff', dir: 'auto' },
    parts.map(({ kind, text }) => h(TAGS[kind], null, text)),
  );
}

/** The last two at first; null if there is nothing to compare. */
export function compareVersions(versions: readonly RecordVersion[]): HTMLElement | null {
  if (versions.length < 2) return null;
  let [from, to] = [versions.length - 2, versions.length - 1];
  const options: readonly Option[] = versions.map(({ version }, i) => [String(i), `version ${version}`]);
  const place = h('div', { role: 'status' });
  const draw = () => fill(place, drawn(versions[from]!, versions[to]!));
  const before = select('Compare version', options, String(from), (value) => {
    from = Number(value);
    draw();
  });
  const after = select('with version', options, String(to), (value) => {
    to = Number(value);
    draw();
  });
  draw();
  return h(
    'section',
    { class: 'compare', 'aria-label': 'Compare versions' },
    h(
      'div',
      { class: 'toolbar' },
      h('span', { class: 'small' }, 'From'),
      before,
      h('span', { class: 'small' }, 'to'),
      after,
    ),
    place,
  );
}
