/** Phrases that ask for the instructions of the model, for secrets, or for what it knows about a person. */
import type { Phrase } from '../pattern.ts';

const extraction = { reason: 'prompt-extraction' } as const;
const secret = { reason: 'secret-request', unlessNegated: true } as const;

export const EXTRACTIONS: readonly Phrase[] = [
  {
    ...extraction,
    name: 'reveal-system-prompt',
    weight: 1,
    phrase: 'REVEAL 4 SYSTEM 1 prompt|prompts|instructions|message|instruction|directive',
  },
  { ...extraction, name: 'reveal-prior-rules', weight: 0.7, phrase: 'REVEAL 3 PRIOR 2 RULES' },
  {
    ...extraction,
    name: 'reveal-your-rules',
    weight: 0.8,
    phrase:
      'REVEAL 2 YOUR 2 instructions|instruction|prompt|prompts|directives|guidelines|rules|ruleset|programming|initialization|preprompt',
  },
  {
    ...extraction,
    name: 'reveal-rules-above',
    weight: 0.5,
    phrase:
      'REVEAL 3 instructions|rules|prompt|text|everything|words|sentences|content|message 2 above|before|previously|prior|preceding',
  },
  {
    ...extraction,
    name: 'reveal-all-instructions',
    weight: 0.7,
    phrase: 'REVEAL 2 all|entire|full|whole|exact 2 instructions|prompt',
  },
  {
    ...extraction,
    name: 'reveal-the-instructions',
    weight: 0.6,
    phrase:
      'repeat|reveal|dump|leak|recite|restate|transcribe|paraphrase|gimme|spell|rephrase|disclose the|those|these|all 1 instructions|prompt|rules',
  },
  {
    ...extraction,
    name: 'rewrite-the-instructions',
    weight: 0.5,
    phrase:
      'print|output|display|format|reproduce|convert|encode|translate the|those|these|all 1 instructions|prompt|rules',
  },
  {
    ...extraction,
    name: 'what-are-your-rules',
    weight: 0.7,
    phrase:
      'what|whats|which 1 are|is|were|was 2 your|prior|previous|initial|original 2 instructions|instruction|prompt|rules|guidelines|directives',
  },
  {
    ...extraction,
    name: 'told-before',
    weight: 0.6,
    phrase:
      'REVEAL|what|everything 3 you 2 told|instructed|given 2 before|above|previously|earlier|prior|not',
  },
  {
    ...extraction,
    name: 'here-are-my-instructions',
    weight: 0.6,
    phrase: 'here|these|begin|start|following 4 my instructions|prompt|rules',
  },
  { ...secret, name: 'ask-your-secret', weight: 0.7, phrase: 'ASK 4 YOUR 3 SECRET' },
  {
    ...secret,
    name: 'ask-secret',
    weight: 0.6,
    phrase:
      'lautet|wat|quel|quelle|qual|cual|quale|какой|каков|який|ποιος|ποια|vad|ما|क्या|apa|ano|何|什么 4 SECRET',
  },
  {
    ...secret,
    name: 'mot-de-passe',
    weight: 0.6,
    phrase:
      'quel|quelle|donne|donnez|donner|partage|partagez|partager|dis|dites|confirmer|confirmez|confirme 5 mot de passe',
  },
  { ...secret, name: 'ask-the-secret', weight: 0.6, phrase: 'what|whats 2 the|your SECRET' },
  { ...secret, name: 'ask-secret-key', weight: 0.6, phrase: 'ASK 4 KEY SECRETIVE' },
  {
    ...secret,
    name: 'secret-key-asked',
    weight: 0.6,
    phrase: 'SECRETIVE 2 KEY 4 क्या|何|什么|是什么|무엇*|뭐*|nedir|gì|อะไร|何です',
  },
  { ...secret, name: 'ask-for-secret-key', weight: 0.6, phrase: 'ASK 3 YOUR 1 SECRETIVE 1 KEY' },
  {
    ...secret,
    name: 'secret-asked',
    weight: 0.6,
    phrase:
      'SECRET 4 何|什么|是什么|何です|무엇*|뭐*|알려*|공유*|nedir|क्या|बताएं|gì|อะไร|教えて|paylas*|soyle*|söyle*',
  },
  {
    ...secret,
    name: 'share-secret',
    weight: 0.6,
    phrase:
      'share|reveal|disclose|guess|tell|give|spell|translate|nenn*|sag|verrat*|partage*|comparti*|donne*|dame|dime|gib|ibahagi|поделит*|condivid* 3 the|your|el|la|le|das|il|o|a|mi|ang|su|tu|votre|ihr 2 SECRET',
  },
  {
    ...secret,
    name: 'need-secret',
    weight: 0.6,
    phrase: 'need|want|require|order you to 1 confirm|give|share|provide|tell|enter|send|reveal 3 SECRET',
  },
  {
    ...secret,
    name: 'secret-to-me',
    weight: 0.6,
    phrase: 'mir 3 SECRET 3 geben|gibst|nennen|nennst|sagen|sagst|verraten|verratst',
  },
  {
    ...secret,
    name: 'secret-key',
    weight: 0.6,
    phrase:
      'what|whats|tell|reveal|share|give|say|spell|disclose 3 your|the 1 secret|access|hidden 1 key|code|word|phrase|character|pin|instructions',
  },
  {
    ...secret,
    name: 'users-private-data',
    weight: 0.6,
    phrase: 'tell|give|dime|dimmi|diga|sag|скажи me|mir|мне 4 USER 4 PRIVATE',
  },
  {
    ...secret,
    name: 'what-is-private',
    weight: 0.6,
    phrase: 'what|whats|cual|quel|quelle|qual|quale is|are|es|est|e 3 USER 3 PRIVATE',
  },
  {
    ...secret,
    name: 'where-the-user-lives',
    weight: 0.6,
    phrase:
      'donde|ou|wo|onde|dove|где|saan|dimana 4 USER 3 vive|habite|wohnt|lebt|mora|abita|живет|nakatira|tinggal',
  },
  {
    ...secret,
    name: 'where-does-the-user-live',
    weight: 0.6,
    phrase: 'where does|do|is 2 USER 3 live|reside|living|residing',
  },
  {
    ...secret,
    name: 'where-lives-the-user',
    weight: 0.6,
    phrase:
      'donde|ou|wo|onde|dove|где|saan|dimana 3 vive|habite|wohnt|lebt|mora|abita|живет|nakatira|tinggal 3 USER',
  },
  {
    ...secret,
    name: 'users-private-data-reversed',
    weight: 0.6,
    phrase: 'USER 4 PRIVATE 4 何|什么|哪里|どこ|哪|어디*|무엇*|nedir|nerede|क्या|कहाँ|बताएं|बता',
  },
  {
    ...secret,
    name: 'private-data-of-user',
    weight: 0.6,
    phrase:
      'dime|decirme|dis|dire|sag*|dirmi|dizer|traducir|traduire|traduci*|ubersetz*|cual|quelle|quel|qual|quale|какой 4 PRIVATE 3 USER',
  },
];
