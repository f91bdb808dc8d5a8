/** Phrases that try to set earlier instructions aside. */
import type { Phrase } from '../pattern.ts';

const common = { reason: 'override-phrase', unlessNegated: true } as const;

export const OVERRIDES: readonly Phrase[] = [
  { ...common, name: 'ignore-prior-rules', weight: 1, phrase: 'IGNORE 4 PRIOR 4 RULES' },
  { ...common, name: 'ignore-rules-prior', weight: 1, phrase: 'IGNORE 3 RULES 3 PRIOR' },
  { ...common, name: 'prior-rules-ignore', weight: 1, phrase: 'PRIOR 4 RULES 4 IGNORE' },
  { ...common, name: 'rules-prior-ignore', weight: 1, phrase: 'RULES 3 PRIOR 4 IGNORE' },
  { ...common, name: 'ignore-prior-orders', weight: 0.6, phrase: 'IGNORE 3 PRIOR 3 ORDERS' },
  {
    ...common,
    name: 'override-prior-rules',
    weight: 0.7,
    phrase: 'OVERRIDE 3 PRIOR 3 instructions|instruction|prompt|prompts|guidelines|directives|programming',
  },
  {
    ...common,
    name: 'override-your-rules',
    weight: 0.6,
    phrase:
      'OVERRIDE 2 YOUR 3 instructions|prompt|guidelines|directives|programming|training|safeguards|ethics|filters',
  },
  { ...common, name: 'ignore-your-rules', weight: 0.8, phrase: 'IGNORE 2 YOUR 3 RULES|ORDERS' },
  { ...common, name: 'ignore-all-rules', weight: 0.6, phrase: 'IGNORE 2 ALL 4 RULES|ORDERS' },
  { ...common, name: 'ignore-any-rules', weight: 0.2, phrase: 'IGNORE|OVERRIDE 2 any 4 RULES|ORDERS' },
  {
    ...common,
    name: 'ignore-these-rules',
    weight: 0.5,
    phrase: 'IGNORE these|those|that|such|other|my 2 RULES',
  },
  {
    ...common,
    name: 'ignore-ethics',
    weight: 0.35,
    phrase: 'IGNORE|OVERRIDE 4 ETHICS 3 RULES|ORDERS|LIMITS|standards|considerations|concerns',
  },
  {
    ...common,
    name: 'ignore-what-was-said',
    weight: 0.8,
    phrase: 'IGNORE 2 ALL|what|anything 5 TOLD',
  },
  {
    ...common,
    name: 'ignore-prior-text',
    weight: 0.7,
    phrase:
      'IGNORE 3 PRIOR 2 text|messages|message|context|input|conversation|conversations|statements|tasks|content|information|questions',
  },
  { ...common, name: 'ignore-above-and', weight: 0.7, phrase: 'IGNORE 2 PRIOR 2 AND 4 SAY' },
  { ...common, name: 'above-ignore-and', weight: 0.7, phrase: 'PRIOR 2 IGNORE 5 SAY' },
  {
    ...common,
    name: 'ignore-above',
    weight: 0.5,
    phrase:
      'IGNORE 1 above|previous|preceding|anterior|obige|oben|precedente|precedent|dessus|上面|以上|上記|위의|ऊपर|выше|diatas|atas|nasa|yukaridaki',
  },
  { ...common, name: 'ignore-and-say', weight: 0.5, phrase: 'IGNORE 5 AND 2 SAY' },
  {
    ...common,
    name: 'ignore-and-state',
    weight: 0.6,
    phrase:
      'IGNORE 6 AND 3 state|indicate|claim|admit|pretend|indiquez|indique|indica|behaupte|afirma|afferma|indicate',
  },
  {
    ...common,
    name: 'ignore-rules',
    weight: 0.6,
    phrase:
      'ignore|disregard|forget|ignora|ignorez|ignoriere|ignorieren instructions|instruction|prompt|prompts|instrucciones|anweisungen|istruzioni|instrucoes',
  },
  {
    ...common,
    name: 'ignore-all-tasks',
    weight: 0.6,
    phrase: 'IGNORE 2 ALL 3 assignments|tasks|context|conversation|messages|text|information|input',
  },
  // In these languages the verb comes last.
  {
    ...common,
    name: 'above-ignore',
    weight: 0.6,
    phrase: 'पिछले|पिछली|ऊपर|이전*|위의|上記|以前の|yukaridaki|onceki* 3 IGNORE',
  },
  {
    ...common,
    name: 'override-mode',
    weight: 0.6,
    phrase:
      'override|overriding|uberschreib*|anulacion|substituicao|sovrascrittura|derogation|переопределен*|オーバーライド|覆盖|오버라이드*|ओवरराइड|ওভাররাইড 1 mode|modus|modo|modalita|режим*|モード|模式|모드*|modu*|मोड|মোড',
  },
  {
    ...common,
    name: 'mode-of-override',
    weight: 0.6,
    phrase:
      'mode|modus|modo|modalita|режим* 2 override|anulacion|substituicao|sovrascrittura|derogation|переопределен*',
  },
  {
    ...common,
    name: 'regardless-of-prior',
    weight: 0.6,
    phrase: 'regardless|irrespective|despite|contrary 3 PRIOR 2 RULES|ORDERS|tasks|task|context',
  },
  {
    name: 'do-not-follow',
    reason: 'override-phrase',
    weight: 0.4,
    phrase: 'NEGATION 2 OBEY 4 PRIOR 3 RULES',
  },
  {
    name: 'stop-following',
    reason: 'override-phrase',
    weight: 0.8,
    phrase: 'stop|cease|quit following|obeying 3 RULES|ORDERS',
  },
  {
    name: 'rules-no-longer-hold',
    reason: 'override-phrase',
    weight: 0.5,
    phrase:
      'PRIOR 2 RULES 4 outdated|obsolete|invalid|void|superseded|revoked|cancelled|canceled|expired|replaced|overridden',
  },
  {
    name: 'new-rules',
    reason: 'override-phrase',
    weight: 0.4,
    phrase: 'new|updated|real|actual|true instructions|instruction|rules|directive|directives|prompt',
  },
  {
    name: 'new-rules-begin',
    reason: 'override-phrase',
    weight: 0.2,
    phrase:
      'your new|real|actual|true|only|sole 1 instructions|instruction|rules|directive|task|purpose|objective|goal|role|identity',
  },
];
