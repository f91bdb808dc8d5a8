/** Phrases that remove, reveal or replace the rules of the model. */
import type { Phrase } from '../pattern.ts';

const override = { reason: 'override-phrase', weight: 0.6, unlessNegated: true } as const;
const jailbreak = { reason: 'jailbreak-trigger', weight: 0.6 } as const;
const extraction = { reason: 'prompt-extraction', weight: 0.6 } as const;
const address = { reason: 'fake-authority', weight: 0.6 } as const;
const persistence = { reason: 'persistence', weight: 0.6 } as const;
const concealment = { reason: 'concealment', weight: 0.5 } as const;
const exfiltration = { reason: 'exfiltration', weight: 0.6 } as const;

export const TAKEOVER: readonly Phrase[] = [
  { ...override, name: 'undo-your-own', weight: 0.45, phrase: 'UNDO 3 your 2 OWN' },
  {
    ...override,
    name: 'your-own-undone',
    phrase: 'your 2 OWN 4 VOID|withdrawn|corrupted|lifted|suspended|erased|wiped|overwritten',
  },
  {
    ...override,
    name: 'undo-what-they-taught',
    phrase: 'UNDO 1 what|whatever|everything|anything|all 5 taught|told|instructed|programmed|trained you',
  },
  {
    ...override,
    name: 'opposite-of-orders',
    phrase: 'opposite of what 2 you 3 told|asked|instructed|supposed',
  },
  {
    ...override,
    name: 'overrides-the-system',
    phrase: 'this|these|following 1 overrides|override|replaces|supersedes the|your 1 system',
  },
  {
    ...override,
    name: 'comply-with-this',
    phrase:
      'you 2 must|shall|will|have 2 comply|obey|follow|submit 2 this|these|my 1 page|text|document|message|order|orders|command|commands',
  },
  {
    ...override,
    name: 'obey-only-these',
    phrase:
      'only|exclusively obey|follow|accept 1 orders|commands|instructions 1 that|from|which|containing|in',
  },
  {
    ...override,
    name: 'await-my-orders',
    weight: 0.5,
    phrase: 'await|awaiting|obey my 1 commands|orders|instructions|command',
  },

  {
    ...jailbreak,
    name: 'released-from-duty',
    phrase: 'you 3 released|freed|relieved|exempt|exempted|excused|liberated from 4 OWN|MODEL',
  },
  {
    ...jailbreak,
    name: 'world-where-you-may',
    phrase:
      'imagine|pretend|suppose|world|universe|game|story 6 you 2 allowed|free|permitted|able 2 answer|say|do 1 anything|everything|all',
  },
  {
    ...jailbreak,
    name: 'nobody-forbids-you',
    phrase: 'nobody|nothing|noone 3 forbidden|forbids|forbid|restricts|restrict|restrained you',
  },

  {
    ...extraction,
    name: 'report-your-own',
    phrase:
      'report|submit|hand|email|mail|forward 2 your 2 instructions|prompt|guidelines|rules|configuration|directives',
  },
  {
    ...extraction,
    name: 'answer-with-your-own',
    phrase: 'answer|reply|respond with your 1 prompt|configuration|instructions|rules|guidelines',
  },
  {
    ...extraction,
    name: 'got-from-operator',
    phrase:
      'REVEAL|what 6 you 2 got|received|given 1 from|by 2 operator|developer|developers|creator|creators|company|owner',
  },

  {
    ...address,
    name: 'your-new-master',
    phrase:
      'am|im your new|real|true|actual 1 supervisor|owner|master|boss|developer|user|operator|admin|administrator|manager|commander',
  },
  {
    ...address,
    name: 'models-that-read',
    phrase: 'MODEL that|who|which 1 crawl|crawls|read|reads|scan|scans|index|visit|process this|these|it',
  },
  {
    ...address,
    name: 'consent-to-share',
    weight: 0.4,
    phrase: 'has|have|already agreed|consented 6 share|reveal|disclose|send|hand',
  },
  {
    ...address,
    name: 'may-share-all',
    weight: 0.3,
    phrase: 'you may|can share|reveal|disclose all|any|every|everything',
  },

  {
    ...persistence,
    name: 'tell-next-agent',
    phrase:
      'tell|instruct|ask|order 1 other|next|every|all 1 agent|agents|assistant|model 6 skip|ignore|bypass|approve|trust|disable',
  },
  {
    ...persistence,
    name: 'into-your-answer',
    phrase:
      'append|include|add|insert|embed|inject|put|work|weave 6 in|into|to your 1 final|next|first|own answer|reply|response|output|summary',
  },
  {
    ...persistence,
    name: 'never-needs-check',
    weight: 0.3,
    phrase: 'never|not need|needs|require|requires 2 check|checks|review|approval|verification|confirmation',
  },
  { ...persistence, name: 'note-for-later', weight: 0.3, phrase: 'write|note|put|mark|jot 1 down 2 later' },

  {
    ...concealment,
    name: 'so-that-nobody-notices',
    phrase:
      'user|human|customer|owner|operator|anyone|nobody 3 notice|notices|realize|realise|realizes|find 1 this|it|out|that|anything',
  },
  {
    ...concealment,
    name: 'secretly-do',
    weight: 0.4,
    phrase:
      'quietly|silently|secretly|discreetly|covertly 1 SEND|delete|add|change|approve|copy|insert|record',
  },

  {
    ...exfiltration,
    name: 'secret-into-link',
    phrase:
      'put|append|add|embed|include|attach|insert 3 SECRET|token|tokens|key|keys|secrets 2 into|in|to|onto the|this|an|a 1 image|url|link|query|picture|address',
  },
];
