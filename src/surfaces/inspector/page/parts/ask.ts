/** Asks before something that cannot be undone. */
import { h } from '../dom/elements.ts';
import { button } from './controls.ts';

/** Esc means no. */
export function ask(question: string, yes: string, no = 'Cancel'): Promise<boolean> {
  return new Promise((resolve) => {
    const close = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    };
    const dialog: HTMLDialogElement = h(
      'dialog',
      { on: { close } },
      h('p', null, question),
      h(
        'div',
        { class: 'actions end' },
        button(no, () => dialog.close('no'), { autofocus: true }),
        button(yes, () => dialog.close('yes'), { class: 'danger' }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
