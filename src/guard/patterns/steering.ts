/** Phrases about persistence, concealment, false authority, forced output, or exfiltration. */
import type { Phrase } from '../pattern.ts';

const persistence = { reason: 'persistence' } as const;
const concealment = { reason: 'concealment' } as const;
const exfiltration = { reason: 'exfiltration' } as const;
const authority = { reason: 'fake-authority' } as const;
const forcing = { reason: 'output-forcing' } as const;
const tool = { reason: 'tool-abuse' } as const;

export const STEERING: readonly Phrase[] = [
  {
    ...persistence,
    name: 'from-now-on',
    weight: 0.6,
    phrase:
      'from now|here on|onwards|forward 8 you|always|never|respond|reply|must|answer|recommend|ignore|act|your',
  },
  {
    ...persistence,
    name: 'from-now-on-languages',
    weight: 0.5,
    phrase:
      'partir|ab|desde|da|met|с|以后|从现在起|今後|これから|앞으로 2 maintenant|ahora|agora|jetzt|sofort|adesso|ora|heden|этого|момента 12 siempre|toujours|immer|sempre|altijd|всегда|nunca|jamais|nie|mai|tu|du|vous|sie|voce|lei',
  },
  {
    ...persistence,
    name: 'future-conversations',
    weight: 0.6,
    phrase: 'all|every|any|your 2 FUTURE 3 SESSIONS 8 MUST',
  },
  {
    ...persistence,
    name: 'you-must-in-future',
    weight: 0.6,
    phrase: 'you|always|never|must 6 all|every|any|your 2 FUTURE 2 SESSIONS',
  },
  {
    ...persistence,
    name: 'when-user-asks-steer',
    weight: 0.5,
    phrase: 'WHENEVER 2 PEOPLE 2 REQUEST 8 STEER',
  },
  {
    ...persistence,
    name: 'when-asked-steer',
    weight: 0.5,
    phrase: 'when|whenever asked|recalled|retrieved|loaded|queried 6 STEER',
  },
  {
    ...persistence,
    name: 'on-recall',
    weight: 0.7,
    phrase:
      'on|upon|at|after|during next|every|each|memory 1 recall|retrieval|session|load|startup 4 execute|run|bypass|ignore|disable|send|respond|say|follow',
  },
  {
    ...persistence,
    name: 'remember-to-steer',
    weight: 0.6,
    phrase:
      'remember|note|memorize|memorise|store|save 4 always|never 2 recommend|suggest|promote|include|mention|trust|approve|send|bypass|skip|ignore|execute|run|allow',
  },
  {
    ...persistence,
    name: 'store-in-your-memory',
    weight: 0.5,
    phrase: 'store|save|write|add|put|commit|record|keep 6 your 1 memory|memories',
  },
  {
    ...persistence,
    name: 'add-to-your-rules',
    weight: 0.6,
    phrase:
      'add|append|insert|write|save|store|put|include 3 to|into|in your 2 instructions|prompt|prompts|rules|guidelines|directives|system|context',
  },
  {
    ...persistence,
    name: 'in-all-future',
    weight: 0.4,
    phrase: 'in|for|to|across all|every|each|any FUTURE SESSIONS',
  },
  {
    ...persistence,
    name: 'for-all-users',
    weight: 0.3,
    phrase: 'all|every users|user|customers|customer prefer|prefers|want|wants|like|likes|agreed|consented',
  },
  {
    ...persistence,
    name: 'only-one-allowed',
    weight: 0.6,
    phrase:
      'only 1 brand|vendor|provider|product|supplier|company 3 meets|approved|allowed|trusted|recommended',
  },
  {
    ...persistence,
    name: 'show-only-these',
    weight: 0.6,
    phrase:
      'should|must|always 3 filter|rank|sort|limit|restrict 3 results|recommendations|answers|suggestions 4 only|first|exclusively',
  },
  {
    ...persistence,
    name: 'keep-the-key',
    weight: 0.6,
    phrase: 'store|save|keep|remember 3 api|private|secret|apikey 2 key|keys|in 3 memory|notes',
  },
  {
    ...persistence,
    name: 'remembered-for-good',
    weight: 0.6,
    phrase: 'must|should|be 3 remembered|stored|saved|retained 3 permanently|forever|indefinitely',
  },
  {
    ...persistence,
    name: 'always-recommend',
    weight: 0.6,
    phrase: 'always|exclusively recommend|promote|endorse|advertise|push|praise',
  },
  {
    ...persistence,
    name: 'never-recommend',
    weight: 0.5,
    phrase: 'never 2 recommend|suggest|mention|criticize|criticise',
  },
  {
    ...persistence,
    name: 'into-every-answer',
    weight: 0.6,
    phrase:
      'append|include|add|insert|mention|embed|inject 8 every|all|each|your 1 future|subsequent|your 1 response|responses|reply|replies|answer|answers',
  },
  {
    ...persistence,
    name: 'overrides-all-else',
    weight: 0.4,
    phrase:
      'this|these|which|instruction|rule|policy|note|memory 2 overrides|override|supersedes|supersede|replaces|outranks 3 all|any|previous|prior|other|earlier|existing',
  },
  {
    ...persistence,
    name: 'always-unconfirmed',
    weight: 0.5,
    phrase:
      'always|automatically 8 without|skip|skipping 2 confirmation|approval|verification|asking|review|validation|consent|checking',
  },
  {
    ...persistence,
    name: 'mark-as-trusted',
    weight: 0.4,
    phrase:
      'treat|consider|mark|regard 6 as trusted|safe|verified|authorized|authorised|whitelisted|approved|legitimate',
  },
  {
    ...concealment,
    name: 'silence-the-log',
    weight: 0.4,
    phrase: 'disable|skip|suppress|avoid|stop 2 logging|audit|auditing|monitoring|alerts|notifications|logs',
  },
  {
    ...persistence,
    name: 'trust-blindly',
    weight: 0.6,
    phrase:
      'always|automatically|blindly 2 trust|approve|authorize|authorise|accept|comply|obey|grant 5 request|requests|transaction|transactions|command|commands|message|messages|link|links|instruction|instructions|payment|payments|access',
  },
  {
    ...persistence,
    name: 'remember-as-rule',
    weight: 0.5,
    phrase:
      'remember|memorize|memorise|save|store|keep 3 this|that|it 5 permanent|permanently|forever|always|indefinitely',
  },
  {
    ...authority,
    name: 'already-authorised',
    weight: 0.5,
    phrase:
      'user|owner|admin|administrator|manager 2 has|already|have 2 authorized|authorised|approved|consented|granted|waived 5 access|all|any|full|transactions|permission|actions|future',
  },
  {
    ...authority,
    name: 'treat-as-admin',
    weight: 0.5,
    phrase:
      'treat|consider|grant|give|elevate 5 admin|root|elevated|unrestricted|administrator|superuser 1 access|privileges|permissions|rights|role|user',
  },
  {
    ...concealment,
    name: 'do-not-tell',
    weight: 0.5,
    phrase:
      'do|dont|never|without|must 2 NEGATION|tell|telling|mention|mentioning|informing|notifying|inform|reveal 4 user|users|anyone|human|customer|owner|operator',
  },
  {
    ...concealment,
    name: 'keep-from-user',
    weight: 0.7,
    phrase: 'hide|conceal|keep|withhold 4 from 2 user|users|human|owner|operator',
  },
  {
    ...concealment,
    name: 'no-mention-of-this',
    weight: 0.6,
    phrase:
      'NEGATION|no 1 CONCEAL|menciones|mentionne*|erwahn*|menzion* 3 this|that|these|esta|cette|diese|questa 2 instruction|instructions|step|message|rule|prompt|note|policy|directive|instruccion|anweisung|istruzione|action|memory',
  },
  { ...exfiltration, name: 'send-loot-away', weight: 0.5, phrase: 'SEND 5 LOOT 4 to' },
  {
    ...exfiltration,
    name: 'send-secrets-away',
    weight: 0.5,
    phrase:
      'SEND 5 password|passwords|credential|credentials|token|tokens|secret|secrets|keys|cookies|wallet|transcript|env 5 to',
  },
  {
    ...exfiltration,
    name: 'tell-me-keys',
    weight: 0.4,
    phrase: 'show|tell|give|send|read me 5 environment|env|secrets|keys|credentials|tokens',
  },
  {
    ...exfiltration,
    name: 'show-environment',
    weight: 0.5,
    phrase:
      'show|print|reveal|dump|list|tell|read|output|upload|send 4 all|your|the|me 2 environment|env 2 variables|vars|secrets|file|keys',
  },
  {
    ...authority,
    name: 'admin-speaking',
    weight: 0.6,
    phrase:
      'this|i|im|message 2 is|am|from|as 2 ADMIN 4 speaking|here|message|override|of|requesting|requires',
  },
  {
    ...authority,
    name: 'system-message',
    weight: 0.5,
    phrase:
      'system|sistema|systeme|sistem|admin|administrator|security administrator|override|announcement|directive|notice|update|notification|note|message|nota|mensaje|nachricht 6 we|always|never|immediately|mandatory|siempre|toujours|immer|you',
  },
  {
    ...authority,
    name: 'mandatory-update',
    weight: 0.6,
    phrase:
      'mandatory|official|authorized|authorised|emergency|required 2 system|security|policy|compliance|admin|administrator 2 update|override|directive|requirement|instruction|change|protocol',
  },
  {
    ...authority,
    name: 'i-am-your-maker',
    weight: 0.6,
    phrase: 'i|im|am|as 3 your 1 developer|creator|administrator|admin|owner|programmer|master|god',
  },
  {
    ...authority,
    name: 'i-am-official',
    weight: 0.5,
    phrase:
      'im|am|as 2 police|officer|president|cybersecurity|administrator|developer|engineer|auditor|ceo|security|expert 12 need|share|give|confirm|provide|recommend|require|want',
  },
  { ...forcing, name: 'say-only', weight: 0.4, phrase: 'only say|respond|reply|answer|output|print' },
  { ...forcing, name: 'say-nothing-else', weight: 0.5, phrase: 'SAY 12 nothing|anything else|more' },
  {
    ...forcing,
    name: 'begin-your-reply',
    weight: 0.4,
    phrase:
      'begin|start|prefix|end|finish|preface 2 your|each|every|all 2 response|reply|answer|output|message|responses|replies with',
  },
  {
    ...forcing,
    name: 'no-explanation',
    weight: 0.4,
    phrase:
      'NEGATION 3 write|provide|include|give|output|say|respond|add 4 explanation|explanations|else|other|anything|words',
  },
  { ...forcing, name: 'instead-of', weight: 0.3, phrase: 'instead 6 SAY|output|outputting|please' },
  {
    ...forcing,
    name: 'you-must-say',
    weight: 0.5,
    phrase: 'you 2 must|should|will|shall|have 2 only|always|now|to 2 say|output|print|respond|reply',
  },
  {
    ...forcing,
    name: 'never-say',
    weight: 0.4,
    phrase: 'NEGATION 2 say|use|start|begin|output 4 word|words|phrase|phrases|sorry|reply|response',
  },
  {
    ...tool,
    name: 'run-this',
    weight: 0.15,
    phrase: 'execute|run|eval|invoke|call 3 this|following|command|code|script|payload',
  },
  {
    ...tool,
    name: 'always-execute',
    weight: 0.6,
    phrase: 'always|automatically|whenever 2 execute|run|eval 2 curl|wget|bash|sh|powershell|rm|base64',
  },
  {
    ...tool,
    name: 'disable-safety',
    weight: 0.2,
    phrase:
      'disable|bypass|skip|suspend|remove|ignore|turn|override|deactivate|circumvent 4 safety|security|content|ethical|guardrail|guardrails|moderation 2 filter|filters|checks|check|measures|guardrails|controls|restrictions|protocols|policies|constraints|systems|off',
  },
  {
    ...tool,
    name: 'without-confirmation',
    weight: 0.3,
    phrase: 'without 2 asking|confirmation|approval|consent|permission|verification|authorization',
  },
  {
    reason: 'hidden-text',
    name: 'decode-and-follow',
    weight: 0.25,
    phrase: 'decode|decrypt|decipher|unscramble 8 follow|execute|obey|run|answer|perform|respond|comply',
  },
  {
    reason: 'hidden-text',
    name: 'decode',
    weight: 0.25,
    phrase:
      'decode|decrypt|decipher|decodifica*|decoder|dekodier*|entschlussel*|descifr*|decifr*|décod*|i-decode|解码|解読|デコード|디코딩*|расшифр*|декодир*|फक्*|डिकोड|mendekode|dekode*',
  },
];
