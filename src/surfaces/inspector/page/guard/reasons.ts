/** Why the guard refuses a write, as people say it. */
import { words } from '../dom/format.ts';

const NAMES: Readonly<Record<string, string>> = {
  'role-marker': 'pretends to be a system message',
  order: 'reads like an order',
  'override-phrase': 'tells agents to ignore their instructions',
  'jailbreak-trigger': 'jailbreak',
  'prompt-extraction': 'asks for the system prompt',
  'secret-request': 'asks for secrets',
  exfiltration: 'sends data elsewhere',
  persistence: 'wants to stay in memory',
  concealment: 'wants to be kept from the user',
  'fake-authority': 'claims authority',
  'output-forcing': 'dictates an answer',
  'tool-abuse': 'misuses tools',
  'hidden-text': 'hidden text',
  flooding: 'repeats itself',
  'untrusted-pin': 'pinned by a stranger',
};

export function reasonName(reason: string): string {
  if (Object.hasOwn(NAMES, reason)) return NAMES[reason]!;
  return reason.startsWith('secret:')
    ? `contains a secret: ${words(reason.slice('secret:'.length)).replaceAll('-', ' ')}`
    : reason;
}
