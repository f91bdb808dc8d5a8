/** The transcripts that were saved before compactions: the list of them, and the one that is open. */
import type { ArchiveSummary } from '../api.ts';
import { call } from '../call.ts';
import { address } from '../dom/address.ts';
import { fill, h } from '../dom/elements.ts';
import { count, time } from '../dom/format.ts';
import { attempt } from '../parts/attempt.ts';
import { empty } from '../parts/empty.ts';
import { meta } from '../parts/facts.ts';
import { archive, type Comparison } from './archive.ts';

/** `chosen`: name of the archive that is open; `comparison`: what it is compared with. */
export function archives(agent: string, chosen: string | undefined, comparison: Comparison): HTMLElement {
  const element = h('div', null);
  const place = (...parts: readonly string[]) => address('conversations', agent, 'archives', ...parts);

  function item({ name, messages, characters, lastAt }: ArchiveSummary): HTMLElement {
    return h(
      'li',
      null,
      h(
        'a',
        { class: 'item', 'data-item': true, href: place(name) },
        h('span', { class: 'line' }, name),
        meta(count(messages, 'message'), count(characters, 'character'), lastAt !== null && time(lastAt)),
      ),
    );
  }

  async function load(): Promise<void> {
    const read = () => call('POST /v1/archive/list', { agent, body: {} });
    const all = await attempt(read, { place: element, again: load });
    if (all === undefined) return;
    const open = all.find(({ name }) => name === chosen);
    if (all.length === 0) {
      const about = 'Before a conversation is compacted, its whole transcript is saved here.';
      fill(element, empty('No archives yet', about, `keepsake compact ${agent}`));
    } else if (open === undefined) {
      fill(element, h('ol', { class: 'list' }, all.toReversed().map(item)));
    } else {
      const back = h('div', { class: 'actions' }, h('a', { href: place() }, '← All archives'));
      fill(element, back, archive(agent, open, { all, comparison, changed: load }));
    }
  }

  load();
  return element;
}
