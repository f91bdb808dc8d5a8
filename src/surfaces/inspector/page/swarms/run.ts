/** One run of a swarm: its working memory and messages while it runs, and how it ended. */
import type { Answer, RunRecord, StateChange } from '../api.ts';
import { call } from '../call.ts';
import { messageItems } from '../conversations/messages.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h } from '../dom/elements.ts';
import { ago, clock, count, time } from '../dom/format.ts';
import { ask } from '../parts/ask.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton, button } from '../parts/controls.ts';
import { chip, pairs, type Tone } from '../parts/facts.ts';
import { toast } from '../parts/toasts.ts';
import { jsonTree } from './json-tree.ts';

const PAGE = 100;
const CHANGES = 30;
const TONES: Readonly<Record<RunRecord['status'], Tone>> = {
  running: 'good',
  completed: '',
  failed: 'danger',
  cancelled: 'warm',
};

export function statusChip({ status }: RunRecord): HTMLElement {
  return chip(status, TONES[status]);
}

function cost({ calls, cost: dollars, inputTokens, outputTokens }: RunRecord['usage']): string {
  const used = `${count(calls, 'call')}, ${count(inputTokens + outputTokens, 'token')}`;
  return dollars === null ? used : `${used}, $${dollars.toFixed(4)}`;
}

function change({ version, by, op, path, at }: StateChange): HTMLElement {
  return h(
    'li',
    null,
    h('span', { class: 'small' }, clock(at)),
    h('span', null, h('b', null, by), ` ${op} `, h('code', null, path === '' ? '/' : path)),
    h('span', { class: 'small' }, `v${version}`),
  );
}

function participant({ name, role }: RunRecord['participants'][number]): HTMLElement {
  return role === 'lead' ? chip(`${name}, lead`, 'warm') : chip(name);
}

function facts(run: RunRecord): HTMLElement {
  return pairs([
    ['run', h('code', null, run.id)],
    ['type', run.type],
    ['participants', run.participants.map((each) => [participant(each), ' '])],
    ['started', time(run.startedAt)],
    ['ended', run.endedAt !== null && time(run.endedAt)],
    ['reason', run.reason],
    ['models', cost(run.usage)],
    ['result', run.result !== null && h('a', { href: address('memory', run.result) }, 'open')],
  ]);
}

export interface RunDetail {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

export function runDetail(id: string): RunDetail {
  const head = h('div', null);
  const state = h('section', { class: 'card', 'aria-label': 'Working memory' });
  const messages = h('ol', { class: 'messages', 'aria-label': 'Messages, oldest first' });
  const columns = [state, h('section', { class: 'card' }, h('h2', null, 'Messages'), messages)];
  const element = h('div', null, head, h('div', { class: 'columns wide' }, columns));
  const shown = new Map<number, Answer<'POST /v1/swarm/messages'>[number]>();

  async function cancel({ swarm }: RunRecord): Promise<void> {
    const question = `Cancel this run of ${swarm}? Its agents stop, wherever they run, and its working memory is removed. What was said is kept.`;
    if (!(await ask(question, 'Cancel run', 'Keep it running'))) return;
    const body = { id, reason: 'cancelled in the inspector' };
    const answer = await attempt(() => call('POST /v1/swarm/cancel', { body }));
    if (answer === undefined) return;
    toast(answer.cancelled ? 'Cancelled the run.' : 'The run had ended already.');
    refresh();
  }

  async function readRun(): Promise<RunRecord | undefined> {
    const read = () => call('POST /v1/swarm/get', { body: { id } });
    const run = await attempt(read, { place: head, again: refresh });
    if (run === undefined) return undefined;
    fill(
      head,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('swarms')),
        h('h2', null, run.swarm),
        statusChip(run),
        run.status === 'running' && button('Cancel run', () => cancel(run), { class: 'danger' }),
      ),
      h('pre', { class: 'content' }, run.task),
      facts(run),
    );
    return run;
  }

  async function readState({ status }: RunRecord): Promise<void> {
    const title = h('h2', null, 'Working memory');
    if (status !== 'running') {
      const about =
        'It was removed when the run ended. A swarm that keeps a snapshot stores it as a memory of its lead.';
      return fill(state, title, h('p', { class: 'small' }, about));
    }
    const read = () => call('POST /v1/state/get', { body: { id } });
    const found = await attempt(read, { place: state, again: refresh });
    if (found === undefined) return;
    const { version, updatedAt, value } = found;
    const after = Math.max(0, version - CHANGES);
    const readChanges = () => call('POST /v1/state/changes', { body: { id, after, limit: CHANGES } });
    const changes = (await attempt(readChanges)) ?? [];
    const when = h('span', { class: 'small' }, ago(updatedAt));
    fill(
      state,
      h('div', { class: 'detail-head' }, title, chip(`version ${version}`, 'good'), when),
      h(
        'div',
        { class: 'tree' },
        Object.entries(value ?? {}).map(([key, each]) => jsonTree(each, key)),
      ),
      h('h3', null, 'Changes'),
      h('ol', { class: 'changes' }, changes.toReversed().map(change)),
    );
  }

  async function readMessages(): Promise<void> {
    for (;;) {
      const body = { id, limit: PAGE, after: [...shown.keys()].at(-1) };
      const read = () => call('POST /v1/swarm/messages', { body });
      const page = await attempt(read, { place: messages, again: refresh });
      if (page === undefined) return;
      for (const message of page) shown.set(message.seq, message);
      if (page.length < PAGE) break;
    }
    if (shown.size === 0) return fill(messages, h('li', { class: 'small' }, 'No messages yet.'));
    const all = [...shown.values()];
    fill(messages, messageItems(all, { to: ({ role, agent }) => (role === agent ? undefined : agent) }));
  }

  async function refresh(): Promise<void> {
    const run = await readRun();
    if (run !== undefined) await Promise.all([readState(run), readMessages()]);
  }

  refresh();
  return { element, refresh };
}
