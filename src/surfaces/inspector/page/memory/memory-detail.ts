/** One memory in full: its text, where it comes from, why it was found, and its history. */
import type { ChangedMemory, Hit, Memory, MemoryChange } from '../api.ts';
import { call } from '../call.ts';
import { address, goTo } from '../dom/address.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { count, now, number, time } from '../dom/format.ts';
import { attempt } from '../parts/attempt.ts';
import { factorBars, otherFactors } from '../parts/bars.ts';
import { backButton, button } from '../parts/controls.ts';
import { chip, pairs } from '../parts/facts.ts';
import { toast } from '../parts/toasts.ts';
import { forgetLater } from './forgetting.ts';
import { editForm, hasDraft, sendChange } from './memory-edit.ts';
import { fillHistory } from './memory-history.ts';
import { sourceName } from './sources.ts';

/** One that a search found also has its score and factors. */
type Shown = Memory & Partial<Pick<Hit, 'score' | 'factors' | 'explain'>>;

function link(id: string | null): Child {
  return id !== null && h('a', { href: address('memory', id) }, id);
}

function provenance(memory: Memory): HTMLElement {
  return pairs([
    ['id', h('code', null, memory.id)],
    ['agent', memory.agent],
    ['user', memory.user],
    ['source', sourceName(memory.source)],
    ['written by', memory.origin],
    ['visible to', memory.scope === 'swarm' ? 'all agents' : 'its agent only'],
    ['tags', memory.tags.length > 0 && memory.tags.map((tag) => [chip(tag), ' '])],
    ['confidence', number(memory.confidence)],
    ['conversation or document', memory.thread],
    ['created', time(memory.createdAt)],
    ['changed', memory.version > 1 && time(memory.updatedAt)],
    ['valid since', memory.validFrom !== null && time(memory.validFrom)],
    [memory.state === 'expired' ? 'expired' : 'expires', time(memory.expiresAt)],
    ['expiry reason', memory.expiryReason],
    ['supersedes', link(memory.supersedes)],
    ['superseded by', link(memory.supersededBy)],
    ['forgotten', memory.forgottenAt !== null && time(memory.forgottenAt)],
    ['opened', count(memory.accessCount, 'time')],
    ['in prompts', count(memory.injectedCount, 'time')],
  ]);
}

interface DetailActions {
  /** Tells the list that a memory was changed, or erased if there is none. */
  readonly changed: (id: string, memory?: Memory) => void;
  readonly close: () => void;
}

export function memoryDetail(given: Shown, { changed, close }: DetailActions): HTMLElement {
  let memory = given;
  const element = h('article', { class: 'memory' });
  const history = h('ol', { class: 'history' });
  const compare = h('div', null);

  /** Score and factors belonged to the version that was found. */
  function replace({ outcome: _, ...fresh }: ChangedMemory): void {
    memory = fresh;
    changed(fresh.id, fresh);
    draw();
  }

  function done(fresh: ChangedMemory, text: string): void {
    if (fresh.outcome === 'unchanged') toast('Nothing changed.');
    else toast(text, { action: { text: 'Undo', run: () => restore() } });
    replace(fresh);
  }

  async function change(fields: MemoryChange, text: string): Promise<void> {
    const fresh = await attempt(() => sendChange(memory, fields));
    if (fresh !== undefined) done(fresh, text);
  }

  /** Without a version, the one before the last change. */
  async function restore(version?: number): Promise<void> {
    const body = { id: memory.id, ifVersion: memory.version, version };
    const fresh = await attempt(() => call('POST /v1/memory/undo', { body }));
    if (fresh === undefined) return;
    toast(`Restored the earlier text and settings as version ${fresh.version}.`);
    replace(fresh);
  }

  function forget(): void {
    const { id } = memory;
    forgetLater([memory], { changed, undone: () => goTo('memory', id) });
    close();
  }

  function edit(): void {
    const save = async (fields: MemoryChange) => done(await sendChange(memory, fields), 'Saved.');
    fill(element, editForm(memory, { save, cancel: draw }));
    element.querySelector('textarea')?.focus();
  }

  function togglePin(): Promise<void> {
    const text = memory.pinned ? 'Unpinned.' : 'Pinned: always part of standing memory.';
    return change({ pinned: !memory.pinned }, text);
  }

  function expire(): Promise<void> {
    return change({ expiresAt: now() }, 'Expired: searches no longer find it.');
  }

  function actions(): HTMLElement | null {
    if (memory.state === 'forgotten') return null;
    const action = (text: string, key: string, run: () => unknown, kind?: string) =>
      button(text, run, { class: kind, 'data-key': key, key: key.length === 1 ? key : undefined });
    return h(
      'div',
      { class: 'actions' },
      action('Edit', 'e', edit, 'main'),
      action(memory.pinned ? 'Unpin' : 'Pin', 'p', togglePin),
      memory.state === 'live' && action('Expire now', 'x', expire),
      memory.version > 1 && action('Undo last change', 'u', () => restore()),
      action('Forget', 'Delete', forget, 'danger'),
    );
  }

  function draw(): void {
    const { category, pinned, state, version, content, explain, metadata } = memory;
    fill(
      element,
      h(
        'div',
        { class: 'detail-head' },
        backButton(close),
        chip(category),
        pinned && chip('pinned', 'warm'),
        state !== 'live' && chip(state, 'danger'),
        h('span', { class: 'small' }, `version ${version}`),
      ),
      h('pre', { class: 'content' }, state === 'forgotten' ? '(erased)' : content),
      actions(),
      explain !== undefined && [
        h('h2', null, 'Why it was found'),
        h('p', null, explain),
        factorBars(memory),
        otherFactors(memory),
      ],
      h('h2', null, 'Where it comes from'),
      provenance(memory),
      Object.keys(metadata).length > 0 && [
        h('h2', null, 'Metadata'),
        h('pre', null, JSON.stringify(metadata, null, 2)),
      ],
      h('h2', null, 'History'),
      compare,
      history,
    );
    fillHistory(history, compare, memory, restore);
  }

  draw();
  if (hasDraft(memory)) edit();
  return element;
}
