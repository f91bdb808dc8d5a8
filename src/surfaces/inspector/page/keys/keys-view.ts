/** API keys, for admins: who may call the server, since when and until when; new ones, rotation and revocation. */
import type { ApiKey, CreatedKey } from '../api.ts';
import { call } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { ago, now, time } from '../dom/format.ts';
import { ask } from '../parts/ask.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { command, empty } from '../parts/empty.ts';
import { chip, pairs } from '../parts/facts.ts';
import { heading } from '../parts/layout.ts';
import { toast } from '../parts/toasts.ts';
import type { View } from '../view.ts';
import { keyForm } from './key-form.ts';

type State = 'valid' | 'expired' | 'revoked';

function stateOf({ revokedAt, expiresAt }: ApiKey): State {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now() ? 'expired' : 'valid';
}

const belongsTo = ({ agent, user, userPrefix }: ApiKey): string =>
  [
    agent !== undefined && `agent ${agent}`,
    user !== undefined && `user ${user}`,
    userPrefix !== undefined && `users whose ids begin with ${userPrefix}`,
  ]
    .filter((part) => part !== false)
    .join(', ') || 'everyone';

export function keysView(): View {
  const place = h('div', null);
  const list = h('ol', { class: 'list' });
  const element = h(
    'div',
    { class: 'sheet narrow' },
    heading('Keys', 'Programs use a key to call this server, and teammates use one to sign in to this page.'),
    h('div', { class: 'toolbar' }, button('New key', openForm, { class: 'main' })),
    place,
    list,
  );

  function openForm(): void {
    fill(place, keyForm({ created: showSecret, cancel: () => fill(place) }));
    place.querySelector('input')?.focus();
  }

  /** Once: the server stores a hash only. */
  function showSecret({ key, name }: CreatedKey): void {
    fill(
      place,
      h(
        'section',
        { class: 'card secret', 'aria-label': 'New key', tabindex: -1 },
        h('h2', null, `The key ${name}`),
        h('p', null, 'Copy it now. It is not stored and cannot be shown again.'),
        command(key),
        h(
          'div',
          { class: 'actions' },
          button('Done', () => fill(place)),
        ),
      ),
    );
    place.querySelector<HTMLElement>('.secret')?.focus();
    load();
  }

  async function rotate({ id, name }: ApiKey): Promise<void> {
    const question = `Replace the key ${name}? The old one stays valid for one more day.`;
    if (!(await ask(question, 'Rotate'))) return;
    const made = await attempt(() => call('POST /v1/keys/:id/rotate', { params: { id }, body: {} }));
    if (made !== undefined) showSecret(made);
  }

  async function revoke({ id, name }: ApiKey): Promise<void> {
    const question = `Revoke the key ${name}? It stops working at once, and cannot be restored.`;
    if (!(await ask(question, 'Revoke'))) return;
    const revoked = await attempt(() => call('DELETE /v1/keys/:id', { params: { id } }));
    if (revoked === undefined) return;
    toast(`Revoked the key ${name}.`);
    load();
  }

  function card(key: ApiKey): HTMLElement {
    const state = stateOf(key);
    const { name, role, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
    const facts: readonly (readonly [string, Child])[] = [
      ['for', belongsTo(key)],
      ['created', time(createdAt)],
      ['last used', lastUsedAt === undefined ? 'never' : ago(lastUsedAt)],
      [state === 'expired' ? 'expired' : 'expires', expiresAt === undefined ? 'never' : time(expiresAt)],
      ['revoked', revokedAt !== undefined && time(revokedAt)],
    ];
    return h(
      'li',
      { class: 'card api-key' },
      h(
        'div',
        { class: 'detail-head' },
        h('b', null, name),
        chip(role),
        state !== 'valid' && chip(state, 'danger'),
      ),
      pairs(facts),
      state === 'valid' &&
        h(
          'div',
          { class: 'actions' },
          button('Rotate', () => rotate(key)),
          button('Revoke', () => revoke(key), { class: 'danger' }),
        ),
    );
  }

  async function load(): Promise<void> {
    const keys = await attempt(() => call('GET /v1/keys'), { place: list, again: load });
    if (keys === undefined) return;
    const newestFirst = keys.toSorted((a, b) => b.createdAt - a.createdAt);
    const isLast = (key: ApiKey) => stateOf(key) !== 'valid';
    const ordered = [...newestFirst.filter((key) => !isLast(key)), ...newestFirst.filter(isLast)];
    const about = 'Create one for each program and each teammate, so that you can revoke each separately.';
    fill(list, keys.length === 0 ? h('li', null, empty('No keys yet', about)) : ordered.map(card));
  }

  load();
  return { element };
}
