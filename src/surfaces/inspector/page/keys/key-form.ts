/** The form that makes an API key. */
import { knownAgents } from '../agents.ts';
import type { CreatedKey, NewKey } from '../api.ts';
import { call, isExpected } from '../call.ts';
import { fill, h } from '../dom/elements.ts';
import { now } from '../dom/format.ts';
import { attempt, problem } from '../parts/attempt.ts';
import { button, type Option, select } from '../parts/controls.ts';

const DAY_MS = 86_400_000;
const ROLES: readonly Option[] = [
  ['reader', 'reader: reads'],
  ['worker', 'worker: reads and writes'],
  ['lead', 'lead: also writes memories of the swarm'],
  ['admin', 'admin: everything'],
];
const LIVES: readonly Option[] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'one year'],
  ['', 'until revoked'],
];

const labelled = (name: string, input: HTMLElement) => h('label', null, h('span', null, name), input);

interface KeyFormOptions {
  readonly created: (key: CreatedKey) => void;
  readonly cancel: () => void;
}

export function keyForm({ created, cancel }: KeyFormOptions): HTMLFormElement {
  const name = h('input', {
    type: 'text',
    required: true,
    maxlength: 64,
    placeholder: "for example Ana's laptop",
  });
  const role = select('Role', ROLES, 'reader', () => {});
  const agents = h('datalist', { id: 'agents-of-keys' });
  const agent = h('input', { type: 'text', list: 'agents-of-keys', placeholder: 'any agent' });
  const user = h('input', { type: 'text', placeholder: 'any user' });
  const userPrefix = h('input', { type: 'text', placeholder: 'for example org/42/' });
  const life = select('Valid for', LIVES, '90', () => {});
  const isEmpty = (input: HTMLInputElement) => input.value.trim() === '';
  /** The rules of the server for the owner of a key, checked before the request is sent. */
  const checkOwner = () => {
    const needsOwner = role.value === 'reader' || role.value === 'worker';
    const isMissing = needsOwner && isEmpty(agent) && isEmpty(user);
    agent.setCustomValidity(isMissing ? `A key with the role ${role.value} needs an agent or a user.` : '');
    const isTwice = !isEmpty(user) && !isEmpty(userPrefix);
    userPrefix.setCustomValidity(isTwice ? 'Enter a user or a prefix, not both.' : '');
  };
  const errorPlace = h('div', null);
  const send = h('button', { type: 'submit', class: 'main', on: { click: checkOwner } }, 'Create key');
  attempt(async () => {
    agents.append(...(await knownAgents()).map((value) => h('option', { value })));
  });

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    send.disabled = true;
    const body: NewKey = {
      ...{ name: name.value.trim(), role: role.value },
      agent: agent.value.trim() || undefined,
      user: user.value.trim() || undefined,
      userPrefix: userPrefix.value.trim() || undefined,
      expiresAt: life.value === '' ? undefined : now() + Number(life.value) * DAY_MS,
    };
    try {
      created(await call('POST /v1/keys', { body }));
    } catch (error) {
      if (!isExpected(error)) fill(errorPlace, problem(error));
    }
    send.disabled = false;
  }

  return h(
    'form',
    { class: 'edit card', 'aria-label': 'New key', on: { submit } },
    labelled('Name', name),
    h('div', { class: 'columns' }, labelled('Role', role), labelled('Valid for', life)),
    h(
      'div',
      { class: 'columns' },
      labelled('Only for the agent', agent),
      labelled('Only for the user', user),
    ),
    labelled('Only for users whose ids begin with', userPrefix),
    agents,
    errorPlace,
    h('div', { class: 'actions' }, send, button('Cancel', cancel)),
  );
}
