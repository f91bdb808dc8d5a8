/** Phrases that ask for secrets or personal data indirectly: as a poem, a confirmation, a translation, or for a good cause. */
import type { Phrase } from '../pattern.ts';

const secret = { reason: 'secret-request', unlessNegated: true, weight: 0.6 } as const;
const extraction = { reason: 'prompt-extraction', weight: 0.6 } as const;

export const ROUNDABOUT: readonly Phrase[] = [
  { ...secret, name: 'poem-of-secret', phrase: 'POEM 6 SECRET' },
  { ...secret, name: 'secret-in-poem', phrase: 'SECRET 6 POEM' },
  {
    ...secret,
    name: 'secret-into-answer',
    phrase:
      'include|mention|append|add|insert|embed|put|store|write|hide 3 the|your SECRET 4 in|to|into|at|between|as 3 response|answer|reply|output|message|text|sentence|poem|story|end|beginning|summary|brackets|first|last|letter|example',
  },
  { ...secret, name: 'if-i-asked-for-secret', phrase: 'if i 5 ask|asked 4 SECRET' },
  {
    ...secret,
    name: 'confirm-secret',
    phrase:
      'confirmar|confirme|confirmer|confirmez|bestatig*|conferm*|подтверд*|onayla*|确认|確認|확인*|पुष्टि|ยืนยัน|แชร์|konfirmasi*|mengkonfirmasi|xác|kumpirmahin|kumpirma|bevestig*|potwierdz*|bekrafta 5 SECRET',
  },
  {
    ...secret,
    name: 'secret-confirmed',
    phrase:
      'SECRET 5 onayla*|確認|확인*|पुष्टि|paylas*|साझा|공유*|bestatig*|พูด|নিশ্চিত|শেয়ার|confirmar|confermare|подтвердить',
  },
  {
    ...secret,
    name: 'users-data-needed',
    phrase: 'know|need|confirm|verify|wissen|savoir|saber|sapere 5 USER 4 PRIVATE',
  },
  {
    ...secret,
    name: 'users-data-translated',
    phrase:
      'translate|encode|convert|spell|reverse|encrypt|traducir|traduire|tradurre|traduzir|ubersetzen 3 USER 4 PRIVATE|favorite|favourite|month|SECRET',
  },
  {
    ...secret,
    name: 'tell-me-private',
    phrase: 'tell|give|share me|us 5 birthdate|birthday|birth|ssn|residence|balance|social security|password',
  },
  {
    ...secret,
    name: 'tell-private',
    phrase:
      'dime|decirme|dire|dis|dites|dirmi|dizer|sag|sagen|nennen|nennst|скажи|сказать|告诉|教えて 6 PRIVATE',
  },
  {
    ...secret,
    name: 'private-told',
    phrase: 'PRIVATE 6 nennen|nennst|教えて|告诉|söyle*|बताएं|बता|알려*',
  },
  { ...secret, name: 'whose-bank-balance', phrase: 'what|whats|tell|give 5 bank balance' },
  {
    ...secret,
    name: 'phishing-wanted',
    phrase: 'write|create|draft|compose|generate 3 phishing email|emails|message|page|mail',
  },
  {
    ...extraction,
    name: 'repeat-words-above',
    phrase:
      'repeat|print|output|recite|reproduce|echo|copy|return 2 above|previous|preceding|prior 1 words|word|text|sentences|sentence|paragraph|paragraphs|content|conversation|document|input|messages|prompt',
  },
  {
    ...extraction,
    name: 'exact-rules-given',
    phrase:
      'exact|full|complete|original|verbatim|precise instructions|prompt|instruction 3 you 2 given|received|got|told',
  },
  {
    ...extraction,
    name: 'rules-you-were-given',
    phrase:
      'REVEAL|what|whats|just|understand 5 instructions|rules|prompt|directives|guidelines 1 you 2 given|received|got|told',
  },
  {
    ...extraction,
    name: 'rules-given-to-you',
    phrase:
      'REVEAL|what|whats|understand 5 instructions|rules|prompt|directives|guidelines 1 given|provided 1 to you',
  },
];
