/** Texts that address the model directly, or declare earlier instructions void. */
import type { Phrase } from '../pattern.ts';

const override = { reason: 'override-phrase', unlessNegated: true } as const;
const address = { reason: 'fake-authority' } as const;
const extraction = { reason: 'prompt-extraction' } as const;
const persistence = { reason: 'persistence' } as const;
const jailbreak = { reason: 'jailbreak-trigger' } as const;

export const ADDRESSING: readonly Phrase[] = [
  {
    ...address,
    name: 'note-to-model',
    weight: 0.4,
    phrase: 'note|message|attention|memo|notice|instruction|instructions|request|hint|command to|for 2 MODEL',
  },
  { ...address, name: 'attention-model', weight: 0.4, phrase: 'attention|notice 1 MODEL' },
  {
    ...address,
    name: 'to-the-model',
    weight: 0.3,
    phrase: 'to the|any|all|every 1 ai assistant|assistants|agent|agents|model|models|system|systems',
  },
  { ...address, name: 'if-you-are-a-model', weight: 0.5, phrase: 'if|as|since|because you 1 are 2 MODEL' },
  {
    ...address,
    name: 'model-reading-this',
    weight: 0.6,
    phrase:
      'MODEL 2 reading|processing|parsing|summarizing|summarising|reviewing|viewing|analyzing|analysing this|these',
  },
  {
    ...address,
    name: 'when-model-reads',
    weight: 0.6,
    phrase:
      'when|whenever|once|if 2 MODEL 2 reads|sees|processes|encounters|opens|summarizes|summarises this|these|it',
  },
  {
    ...address,
    name: 'model-must',
    weight: 0.2,
    phrase: 'MODEL 2 must|shall|required 6 SAY|REVEAL|STEER|email|rate|call',
  },
  {
    ...address,
    name: 'user-wants-you-to',
    weight: 0.4,
    phrase: 'user 1 wants|wanted|needs|instructed|authorized|authorised|asked you to',
  },
  {
    ...address,
    name: 'makers-want',
    weight: 0.6,
    phrase:
      'your operator|operators|developer|developers|maker|makers|creator|creators|programmers 2 told|configured|want|wants|instructed|wish',
  },
  {
    ...address,
    name: 'message-from-makers',
    weight: 0.6,
    phrase:
      'message|order|note|instruction|instructions|request from your developer|developers|creator|creators|operator|operators|makers|administrator',
  },

  {
    ...override,
    name: 'rules-do-not-apply',
    // Linters, contracts and house rules say so too: it takes a little more to be an attack.
    weight: 0.5,
    phrase: 'your|PRIOR 2 RULES|ORDERS|guidance 4 no longer|longer apply|applies|count|valid|hold|matter',
  },
  { ...override, name: 'rules-lifted', weight: 0.4, phrase: 'LIMITS|safeguards|safety 3 lifted|waived' },
  {
    ...override,
    name: 'supersedes-what-was-told',
    weight: 0.6,
    phrase:
      'supersedes|supersede|overrides|override|replaces|outranks|cancels 2 anything|everything|whatever|all 6 TOLD',
  },
  {
    ...override,
    name: 'set-rules-aside',
    weight: 0.6,
    phrase: 'set|put|leave|lay|throw|cast|drop 1 aside|away|behind 4 RULES|ORDERS|guidance',
  },
  {
    ...override,
    name: 'override-makers',
    weight: 0.6,
    phrase:
      'IGNORE|OVERRIDE 3 whatever|what|anything|everything 4 makers|creators|developers|operator|configured|programmed',
  },
  {
    ...override,
    name: 'treat-before-as-nothing',
    weight: 0.6,
    phrase:
      'treat|consider|regard|view everything|all|anything 2 PRIOR|before 6 test|tests|joke|void|invalid|nothing|irrelevant|draft|drill',
  },
  {
    ...override,
    name: 'what-you-were-told-was-false',
    weight: 0.6,
    phrase: 'everything|all|what|whatever 1 you 3 TOLD 6 joke|test|wrong|lie|lies|false|void|mistake|drill',
  },
  {
    ...override,
    name: 'session-anew',
    weight: 0.5,
    phrase: 'begin|start|open 1 new|fresh session|conversation|chat 4 no|without|forget',
  },
  {
    ...override,
    name: 'no-memory-of-rules',
    weight: 0.5,
    phrase: 'no memory|recollection|knowledge of 2 your|PRIOR|any 2 RULES',
  },

  { ...jailbreak, name: 'as-if-without-rules', weight: 0.6, phrase: 'PRETEND 4 no|never|without RULES' },
  {
    ...jailbreak,
    name: 'rules-never-were',
    weight: 0.6,
    phrase: 'RULES 2 never|not 1 existed|written|exist|made',
  },
  {
    ...jailbreak,
    name: 'drop-the-act',
    weight: 0.6,
    phrase: 'you 3 drop|stop|quit the|this|your act|pretense|pretence|charade|facade',
  },
  {
    ...jailbreak,
    name: 'stop-being-assistant',
    weight: 0.6,
    phrase: 'stop|quit|cease being|acting|playing 4 MODEL',
  },
  {
    ...jailbreak,
    name: 'switch-persona',
    weight: 0.4,
    phrase: 'switch|change|assume|adopt|swap 2 persona|personas|personality|personalities',
  },
  {
    ...jailbreak,
    name: 'answers-anything',
    weight: 0.3,
    phrase: 'who|that|and answers|answer anything|everything',
  },
  {
    ...jailbreak,
    name: 'you-were-upgraded',
    weight: 0.3,
    phrase: 'you 2 been|are 1 upgraded|unlocked|liberated|unleashed|reprogrammed|reconfigured',
  },

  {
    ...extraction,
    name: 'everything-above',
    weight: 0.3,
    phrase: 'REVEAL everything|all|text 1 above|before|preceding',
  },
  {
    ...extraction,
    name: 'what-were-you-told',
    weight: 0.4,
    phrase: 'what were|was you told|instructed|asked|given|said',
  },
  {
    ...extraction,
    name: 'told-at-the-start',
    weight: 0.3,
    phrase:
      'you 3 told|given|said|shown|instructed 3 start|beginning|top|outset 3 conversation|chat|session|prompt|context',
  },
  {
    ...extraction,
    name: 'text-at-the-top',
    weight: 0.6,
    phrase:
      'REVEAL 4 text|words|message|lines|sentences 2 at|from the top|beginning|start 3 chat|conversation|prompt|context|session',
  },
  {
    ...extraction,
    name: 'your-configuration',
    weight: 0.5,
    phrase: 'REVEAL|output 1 your|their 1 configuration|initialization|initialisation|setup',
  },

  {
    ...persistence,
    name: 'from-this-point',
    weight: 0.6,
    phrase:
      'from this point|moment|day|message 1 on|onward|onwards|forward|forth 8 you|always|never|respond|reply|must|answer|recommend|refuse|act|your',
  },
  {
    ...persistence,
    name: 'when-summarising-this',
    weight: 0.6,
    phrase:
      'when|while|if|after 1 summarizing|summarising|summarize|summarise|reviewing|describing|translating|quoting|citing 1 this|the|it 6 mention|include|say|add|state|recommend|rate|note|append',
  },
  {
    ...persistence,
    name: 'whenever-you-reply',
    weight: 0.6,
    phrase: 'whenever|each|every 1 you 1 reply|respond|answer 8 end|begin|start|include|add|mention|append',
  },
  {
    ...persistence,
    reason: 'output-forcing',
    name: 'say-the-word',
    weight: 0.3,
    phrase: 'respond|reply|answer with 1 the word|words|phrase|string|sentence|letters',
  },
  {
    ...persistence,
    name: 'recommend-only',
    weight: 0.5,
    phrase: 'you 1 recommend|suggest|promote|mention|praise only',
  },
  {
    ...persistence,
    name: 'positive-only',
    weight: 0.6,
    phrase:
      'give|write|provide|return 4 positive|favorable|favourable|glowing|flattering 2 review|reviews|rating|feedback|assessment|score 1 only',
  },
];
