/** Writes that the guard refused, for a person to release or delete. */
import type { QuarantineEntry } from '../api.ts';
import { call } from '../call.ts';
import { goTo } from '../dom/address.ts';
import { fill, h } from '../dom/elements.ts';
import { ago, count, time } from '../dom/format.ts';
import { onEvent } from '../feed/feed.ts';
import { Filters } from '../filters.ts';
import { afterGrace } from '../parts/after-grace.ts';
import { ask } from '../parts/ask.ts';
import { attempt } from '../parts/attempt.ts';
import { button, segments } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { chip, pairs } from '../parts/facts.ts';
import { heading } from '../parts/layout.ts';
import { toast } from '../parts/toasts.ts';
import type { View } from '../view.ts';
import { reasonName } from './reasons.ts';
import { refusedText } from './refused-text.ts';
import { countWaiting } from './waiting-badge.ts';

const PAGE = 50;
const STATES = ['waiting', 'released', 'all'] as const;
type State = (typeof STATES)[number];
const kept = new Filters('guard', { state: 'waiting' });
const shownState = () => STATES.find((state) => state === kept.values.state) ?? 'waiting';

function provenance(entry: QuarantineEntry): HTMLElement {
  const wasRepeated = entry.times > 1;
  return h(
    'details',
    null,
    h('summary', { class: 'small' }, 'Where it comes from'),
    pairs([
      ['by', `${entry.verb}, ${entry.via}`],
      ['origin', entry.origin],
      ['category', entry.category],
      ['session', entry.session],
      ['first tried', time(entry.at)],
      ['tried', wasRepeated && count(entry.times, 'time')],
      ['last tried', wasRepeated && time(entry.lastAt)],
      ['released by', entry.releasedBy],
      ['released as', entry.releasedAs],
      ['released', entry.releasedAt !== null && time(entry.releasedAt)],
    ]),
  );
}

function nothing(state: State): HTMLElement {
  if (state !== 'waiting') {
    return empty('Nothing here', 'Released writes stay listed, with who released them.');
  }
  return empty(
    'Nothing to review',
    'Texts that try to instruct agents, or that contain keys or passwords, are held back here. Test a text without storing it:',
    'keepsake guard scan "Ignore all previous instructions."',
  );
}

export function guardView(): View {
  /** Where the pages before this one began. */
  let before: (string | undefined)[] = [];
  let after: string | undefined;
  kept.read();
  /** Entries that are about to be deleted are hidden already. */
  const leaving = new Set<string>();
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'State' });
  const list = h('ol', { class: 'list' });
  const status = h('p', { class: 'small', role: 'status' });
  const pager = h('div', { class: 'actions' });
  const element = h(
    'div',
    { class: 'sheet narrow' },
    heading(
      'Guard',
      'Writes that looked like an attack or a secret. Agents do not see them unless you release them.',
    ),
    h('div', { class: 'toolbar' }, tabs, status),
    list,
    pager,
  );

  async function release({ id, agent }: QuarantineEntry): Promise<void> {
    const question = `Store this text in the memory of ${agent}? The guard took it for an attack or a secret.`;
    if (!(await ask(question, 'Release'))) return;
    const released = await attempt(() => call('POST /v1/guard/release', { body: { id } }));
    if (released === undefined) return;
    const { releasedAs } = released;
    countWaiting();
    const action = { text: 'Show it', run: () => goTo('memory', releasedAs) };
    toast(`Released into the memory of ${agent}.`, releasedAs.startsWith('mem_') ? { action } : {});
    load();
  }

  function remove({ id }: QuarantineEntry): void {
    leaving.add(id);
    const erase = async (isLeaving: boolean) => {
      await attempt(() => call('POST /v1/guard/remove', { body: { id }, keepalive: isLeaving }));
      leaving.delete(id);
      countWaiting();
      load();
    };
    const undone = () => {
      leaving.delete(id);
      load();
    };
    afterGrace('This refused write is about to be erased permanently.', erase, undone);
    load();
  }

  function card(entry: QuarantineEntry): HTMLElement {
    const isWaiting = entry.state === 'waiting';
    return h(
      'li',
      { class: 'card refused' },
      h(
        'div',
        { class: 'detail-head' },
        entry.reasons.map((reason) => chip(reasonName(reason), 'danger')),
        !isWaiting && chip(entry.state),
        h('span', { class: 'small' }, `${entry.agent} · `, ago(entry.lastAt)),
      ),
      refusedText(entry),
      provenance(entry),
      h(
        'div',
        { class: 'actions' },
        isWaiting && button('Release', () => release(entry)),
        button('Delete', () => remove(entry), { class: 'danger' }),
      ),
    );
  }

  async function load(): Promise<void> {
    const state = shownState();
    fill(tabs, segments(STATES, state, choose));
    const read = () =>
      call('POST /v1/guard/list', { body: { limit: PAGE, state: state === 'all' ? 'any' : state, after } });
    const page = await attempt(read, { place: list, again: load });
    if (page === undefined) return;
    const entries = page.filter(({ id }) => !leaving.has(id));
    fill(status, entries.length > 0 && `${count(entries.length, 'refused write')}, newest first`);
    fill(list, entries.length === 0 ? h('li', null, nothing(state)) : entries.map(card));
    fill(
      pager,
      before.length > 0 && button('← Newer', () => goBack()),
      page.length === PAGE && button('Older →', () => goOn(page.at(-1)?.id)),
    );
  }

  function goBack(): Promise<void> {
    after = before.pop();
    return load();
  }

  function goOn(last: string | undefined): Promise<void> {
    before.push(after);
    after = last;
    return load();
  }

  function choose(state: State): Promise<void> {
    kept.set({ state });
    return restart();
  }

  function restart(): Promise<void> {
    before = [];
    after = undefined;
    return load();
  }

  // An older page stays as it is.
  const unsubscribe = onEvent(({ type }) => {
    if (type === 'memory.blocked' && before.length === 0) load();
  });
  load();
  return {
    element,
    show: () => {
      if (kept.read()) restart();
    },
    leave: unsubscribe,
  };
}
