/** The form for people without a shell on the server: they sign in with an API key. */
import { ApiError, call } from './call.ts';
import { fill, h } from './dom/elements.ts';
import { keepKey } from './key.ts';
import { problem } from './parts/attempt.ts';
import { command } from './parts/empty.ts';

const REFUSED =
  'This key is not valid: it is misspelt, expired or revoked. Ask the owner of the server for a new one.';
const FOR_PROGRAMS =
  'This key acts for several users, so only a program can use it. Sign in with a key of one user, of an agent, or of an admin.';

/** The characters of a key; others cannot be sent in a header. */
const KEY = /^[\w.~+/=-]+$/;

async function check(key: string): Promise<void> {
  if (!KEY.test(key)) throw new ApiError(401, { message: REFUSED });
  try {
    await call('GET /v1/whoami', { headers: { authorization: `Bearer ${key}` } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) throw new ApiError(401, { message: REFUSED });
    throw error.status === 403 ? new ApiError(403, { message: FOR_PROGRAMS }) : error;
  }
  keepKey(key);
}

/** `notice`: why the last key stopped working. */
export function signInForm(notice?: string): HTMLFormElement {
  const input: HTMLInputElement = h('input', {
    ...{ type: 'password', name: 'key', required: true, autocomplete: 'off', spellcheck: 'false' },
    placeholder: 'ksk_…',
  });
  const errorPlace = h('div', null, notice !== undefined && problem(new Error(notice)));
  const send = h('button', { type: 'submit', class: 'main' }, 'Sign in');

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    send.disabled = true;
    fill(errorPlace);
    try {
      await check(input.value.trim());
      input.value = '';
      dispatchEvent(new Event('keepsake:signed-in'));
    } catch (error) {
      fill(errorPlace, problem(error));
      input.select();
    }
    send.disabled = false;
  }

  return h(
    'form',
    { class: 'edit', on: { submit } },
    h('label', null, h('span', null, 'API key'), input),
    errorPlace,
    h('div', { class: 'actions' }, send),
    h('p', { class: 'small' }, 'The key is stored in this tab only and removed when you close it.'),
    h(
      'details',
      { class: 'small' },
      h('summary', null, 'I have no key'),
      h('p', null, 'The owner of the server creates one on its machine, or in the inspector under Keys:'),
      command('keepsake keys create my-name --role reader --agent my-agent --expires 90d'),
    ),
  );
}
