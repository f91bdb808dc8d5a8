/** Erases everything about one user: first only counted, then after a question, and at the end the signed receipt. */
import type { ErasedLayers, EraseReceipt } from '../api.ts';
import { call } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { count } from '../dom/format.ts';
import { ask } from '../parts/ask.ts';
import { attempt } from '../parts/attempt.ts';
import { button } from '../parts/controls.ts';
import { command } from '../parts/empty.ts';
import { pairs } from '../parts/facts.ts';
import { toast } from '../parts/toasts.ts';

const NAMES: Readonly<Record<keyof ErasedLayers, string>> = {
  records: 'memories',
  messages: 'messages',
  events: 'events and receipts of prompts',
  quarantined: 'refused writes',
  marks: 'counters and marks',
  items: 'items of frameworks',
  files: 'files',
  runs: 'runs of swarms',
};

const sum = (found: ErasedLayers): number => Object.values(found).reduce((total, many) => total + many, 0);

function counted(found: ErasedLayers): HTMLElement {
  return pairs(
    Object.entries(NAMES).map(([layer, name]) => [name, count(found[layer as keyof ErasedLayers])]),
  );
}

/** `erased` is called when nothing of the user is left. */
export function eraseUser(user: string, erased: () => void): HTMLElement {
  const place = h('div', null);
  const element = h(
    'section',
    { class: 'card erase', 'aria-label': 'Erase' },
    h('h2', null, 'Erase'),
    h(
      'p',
      null,
      'Removes everything about this user with every agent, for example after a request to be forgotten.',
    ),
    place,
  );

  function drawStart(): void {
    fill(place, h('div', { class: 'actions' }, button('Count what would be erased', dryRun)));
  }

  async function dryRun(): Promise<void> {
    const body = { user, dryRun: true };
    const answer = await attempt(() => call('POST /v1/erase/run', { body }), { place, again: dryRun });
    const [first] = answer ?? [];
    if (first === undefined) return;
    const isNothing = sum(first.found) === 0;
    fill(
      place,
      h(
        'p',
        { role: 'status' },
        isNothing ? 'Nothing about this user is stored.' : 'Nothing was erased yet. This is stored:',
      ),
      !isNothing && counted(first.found),
      !isNothing &&
        h(
          'div',
          { class: 'actions' },
          button('Erase all of it', run, { class: 'danger' }),
          button('Cancel', drawStart),
        ),
    );
  }

  async function run(): Promise<void> {
    const question = `Erase everything about ${user}? This cannot be undone. Backups are not changed; the receipt names them.`;
    if (!(await ask(question, 'Erase'))) return;
    const body = { user, dryRun: false };
    const answer = await attempt(() => call('POST /v1/erase/run', { body }), { place, again: run });
    const [first] = answer ?? [];
    if (first?.receipt === null || first === undefined) return;
    toast('Erased.');
    drawReceipt(first.found, first.receipt, first.remains);
    erased();
  }

  function drawReceipt(found: ErasedLayers, receipt: EraseReceipt, remains: readonly string[]): void {
    const verdict = h('p', { role: 'status' });
    const verify = async () => {
      const checked = await attempt(() => call('POST /v1/erase/verify', { body: { user, receipt } }));
      if (checked === undefined) return;
      fill(
        verdict,
        checked.verified
          ? 'The receipt is genuine, and nothing about this user is stored.'
          : 'The receipt does not match: it was changed, or something about this user is stored again.',
      );
    };
    const left: Child = remains.length > 0 && [
      h('h3', null, 'What remains'),
      remains.map((text) => h('p', null, text)),
    ];
    fill(
      place,
      h('p', null, 'Erased. Keep this receipt: it is signed, and does not contain what was erased.'),
      counted(found),
      left,
      command(JSON.stringify(receipt, null, 2)),
      verdict,
      h('div', { class: 'actions' }, button('Verify the receipt', verify)),
    );
  }

  drawStart();
  return element;
}
