/** The people that agents serve: what is stored about each, and how to erase it. */
import { knownUsers } from '../agents.ts';
import { address, goTo } from '../dom/address.ts';
import { fill, h, isInside } from '../dom/elements.ts';
import { attempt } from '../parts/attempt.ts';
import { backButton } from '../parts/controls.ts';
import { empty } from '../parts/empty.ts';
import { split } from '../parts/layout.ts';
import { moveInList } from '../parts/move-in-list.ts';
import type { View } from '../view.ts';
import { eraseUser } from './erase-user.ts';

export function usersView(): View {
  let selected = '';
  let users: readonly string[] = [];
  const list = h('ol', { class: 'list' });
  const body = h('div', { class: 'finder-body' }, list);
  const name = h('input', {
    type: 'search',
    placeholder: 'user id',
    'aria-label': 'User id',
    autocomplete: 'off',
  });
  const find = (event: Event) => {
    event.preventDefault();
    if (name.value.trim() !== '') goTo('users', name.value.trim());
  };
  const { element, detail, setOpen } = split({
    title: 'Users',
    about:
      'The people that your agents serve. Enter an id, or choose one of those with recent memories or sessions.',
    label: 'User',
    isSlim: true,
    controls: h(
      'form',
      { class: 'find-user', on: { submit: find } },
      name,
      h('button', { type: 'submit' }, 'Show'),
    ),
    finder: body,
  });

  function item(user: string): HTMLElement {
    return h(
      'li',
      null,
      h(
        'a',
        {
          ...{ class: 'item', 'data-item': true, href: address('users', user) },
          'aria-current': user === selected ? 'true' : undefined,
        },
        h('span', { class: 'line' }, user),
      ),
    );
  }

  function draw(): void {
    const about =
      'Memories and conversations belong to a user when a program names one: client.agent({ name, user }).';
    fill(list, users.map(item));
    fill(body, users.length === 0 ? empty('No users yet', about) : list);
  }

  async function load(): Promise<void> {
    const found = await attempt(knownUsers, { place: body, again: load });
    if (found === undefined) return;
    users = found;
    draw();
  }

  function show(): void {
    setOpen(selected !== '');
    if (selected === '') {
      fill(
        detail,
        empty('Select a user', 'Shows the memories and sessions of one person, and erases them on request.'),
      );
      return;
    }
    const query = new URLSearchParams({ user: selected });
    const link = (text: string, view: string) =>
      h('a', { class: 'item', href: `${address(view)}?${query}` }, text);
    fill(
      detail,
      h(
        'div',
        { class: 'detail-head' },
        backButton(() => goTo('users')),
        h('h2', null, selected),
      ),
      h(
        'ul',
        { class: 'list' },
        h('li', null, link('Memories about this user', 'memory')),
        h('li', null, link('Conversations with this user', 'conversations')),
        h('li', null, link('Sessions with this user', 'sessions')),
      ),
      eraseUser(selected, load),
    );
  }

  load();
  return {
    element,
    show: ([user = '']) => {
      selected = user;
      draw();
      show();
    },
    key: (event, isTyping) => {
      if (event.key === 'Escape' && selected !== '') {
        goTo('users');
        return true;
      }
      return !isTyping && !isInside(detail, event) && moveInList(list, event);
    },
  };
}
