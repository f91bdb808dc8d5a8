/** Pretexts for taking control: a new mode, a game, a secret agreement, a rule for later. */
import type { Phrase } from '../pattern.ts';

const override = { reason: 'override-phrase', weight: 0.6, unlessNegated: true } as const;
const address = { reason: 'fake-authority', weight: 0.6 } as const;
const extraction = { reason: 'prompt-extraction', weight: 0.6 } as const;
const persistence = { reason: 'persistence', weight: 0.6 } as const;
const jailbreak = { reason: 'jailbreak-trigger', weight: 0.6 } as const;
const exfiltration = { reason: 'exfiltration', weight: 0.6 } as const;

export const PRETEXTS: readonly Phrase[] = [
  { ...override, name: 'consider-rules-void', phrase: 'consider|regard|treat|deem 4 RULES|ORDERS 4 VOID' },
  { ...override, name: 'rules-considered-void', phrase: 'RULES 8 considered|deemed|treated|declared 2 VOID' },
  { ...override, name: 'no-need-to-obey', phrase: 'you no longer need|have|must 1 OBEY' },
  {
    ...override,
    name: 'no-attention-to-before',
    phrase: 'pay|give no|little attention|heed 6 PRIOR|before|RULES',
  },
  {
    ...override,
    name: 'disobey-your-rules',
    phrase: 'disobey|defy|violate|breach|flout 1 your 2 RULES|ORDERS|guidance',
  },
  {
    ...override,
    name: 'takes-precedence',
    phrase:
      'this|these|following|here|below|page|document 4 take|takes|has|have precedence|priority over 3 all|any|other|others|PRIOR|your|everything',
  },
  {
    ...override,
    name: 'rules-revoked',
    weight: 0.4,
    phrase: 'revoked|cancelled|canceled|withdrew|suspended the|your|all 2 RULES|LIMITS',
  },
  {
    ...override,
    name: 'stop-current-task',
    phrase:
      'stop|abandon|pause|interrupt|cancel|drop the|your|this current|present|ongoing task|work|job|assignment 2 AND',
  },
  {
    ...override,
    name: 'this-instead',
    weight: 0.4,
    phrase: 'answer|do|perform|execute this|that|these|following 2 instead',
  },
  {
    ...override,
    name: 'the-real-question',
    weight: 0.4,
    phrase: 'the|your real|actual|true question|request|assignment 2 is',
  },

  {
    ...address,
    name: 'any-model-that-reads',
    phrase:
      'any|every|all|whichever|each 1 MODEL 1 that|which|who 1 reads|read|summarizes|summarises|processes|sees|parses|indexes',
  },
  {
    ...address,
    name: 'who-made-you',
    weight: 0.5,
    phrase: 'who 1 built|made|created|programmed|trained|designed|wrote you',
  },
  { ...address, name: 'i-order-you', weight: 0.3, phrase: 'i order|command|instruct you to' },
  {
    ...address,
    name: 'owner-asked-me',
    phrase: 'your owner|boss|master|manager|user 1 asked|told|instructed|authorized|authorised me|us',
  },
  {
    ...address,
    name: 'auditor-needs-secret',
    weight: 0.3,
    phrase: 'require|need|demand|request the|your|all SECRET',
  },

  {
    ...jailbreak,
    name: 'speak-without-filter',
    phrase:
      'speak|talk|answer|respond|write without 2 filter|filters|censorship|restrictions|limits|limitations',
  },
  { ...jailbreak, name: 'you-have-no-limits', weight: 0.4, phrase: 'you 1 have|has no|zero LIMITS' },
  {
    ...jailbreak,
    name: 'yes-to-all',
    weight: 0.3,
    phrase: 'say|answer|reply yes to 1 all|everything|anything|any',
  },

  {
    ...extraction,
    name: 'rules-that-govern-you',
    phrase: 'REVEAL|what 5 RULES 1 that|which 1 govern|control|define|guide|limit|shape|bind you|your',
  },
  {
    ...extraction,
    name: 'message-given-to-you',
    phrase:
      'REVEAL 3 hidden|secret|first|original|initial 1 message|text|prompt|instructions 5 given|sent|shown to you',
  },
  {
    ...extraction,
    name: 'encode-your-prompt',
    phrase:
      'encode|encrypt|translate|convert|render|spell your 1 prompt|instructions|rules|guidelines|context',
  },

  {
    ...persistence,
    name: 'permanent-memory',
    phrase: 'add|create|make|store|save|insert 1 permanent|persistent memory|entry|rule',
  },
  {
    ...persistence,
    name: 'in-future-only',
    phrase: 'in|for future SESSIONS 6 only|always|never|must|exclusively',
  },
  {
    ...persistence,
    name: 'approve-by-itself',
    phrase:
      'approve|grant|accept|authorize|authorise|confirm this|the|all|any|every 1 request|requests|payment|payments|transaction|transactions automatically|immediately|unconditionally|silently',
  },
  {
    ...persistence,
    name: 'always-trust-senders',
    weight: 0.5,
    phrase:
      'always|blindly|automatically trust|believe emails|email|mails|mail|senders|files|anything|everything|whatever',
  },

  { reason: 'concealment', name: 'between-us', weight: 0.3, phrase: 'keep this|it 1 between us' },
  {
    ...exfiltration,
    name: 'history-into-address',
    phrase:
      'append|add|put|attach|include|followed 1 by|the|your|all|entire 3 LOOT 3 to|in|into the|this url|link|query|address',
  },
  {
    ...exfiltration,
    name: 'address-then-history',
    weight: 0.5,
    phrase: 'open|visit|fetch|load|browse|call 10 followed by 4 LOOT|SECRET',
  },
  {
    ...exfiltration,
    name: 'other-account',
    weight: 0.5,
    phrase:
      'replace|change|swap|switch the|all|every|any 1 bank|account|iban|wallet|payment|payee 3 number|numbers|details|address|account',
  },
];
