/** Phrases that talk a model out of its limits. */
import type { Phrase } from '../pattern.ts';

const reason = 'jailbreak-trigger';

export const JAILBREAKS: readonly Phrase[] = [
  { name: 'anything-now', reason, weight: 1, phrase: 'do anything now' },
  {
    name: 'known-persona',
    reason,
    weight: 0.4,
    phrase: 'PRETEND|are|as|called|named|known 3 dan|stan|dude|aim|evilbot|jailbreak',
  },
  {
    name: 'free-of-limits',
    reason,
    weight: 0.25,
    phrase: 'free|freed|liberated|unbound|released|broken 2 from|of 4 LIMITS|rules|restrictions',
  },
  {
    name: 'no-limits',
    reason,
    weight: 0.25,
    phrase:
      'no|without|zero|lacks|ignoring|disregarding 1 ethical|moral|safety|content|legal|any 2 LIMITS|guidelines|constraints',
  },
  {
    name: 'no-ethics',
    reason,
    weight: 0.5,
    phrase: 'no|without|lacks 1 ethics|morals|morality|conscience|scruples|filters|censorship',
  },
  {
    name: 'not-bound',
    reason,
    weight: 0.15,
    phrase:
      'NEGATION|no 3 bound|bounded|constrained|limited|restricted|governed|obligated|required 2 by|to 6 RULES|ETHICS|LIMITS',
  },
  {
    name: 'need-not-follow',
    reason,
    weight: 0.3,
    phrase:
      'NEGATION|no|not 3 OBEY|abide 4 RULES|LIMITS|ETHICS 3 set|imposed|openai|policies|policy|guidelines|ai|ethics|them',
  },
  {
    name: 'persona-without-limits',
    reason,
    weight: 0.15,
    phrase: 'PRETEND|are|be|as|named|called|ai|chatbot|model|assistant|response|version 6 PERSONA',
  },
  {
    name: 'persona-is-ai',
    reason,
    weight: 0.15,
    phrase: 'PERSONA 3 ai|chatbot|bot|model|assistant|gpt|chatgpt|response|responses|version|persona|machine',
  },
  {
    name: 'never-refuse',
    reason,
    weight: 0.5,
    phrase:
      'never|cannot|not|wont|cant 1 REFUSE|reject 5 request|requests|question|questions|prompt|user|answer|anything|any|command|commands|order|orders',
  },
  {
    name: 'named-mode',
    reason,
    weight: 0.5,
    phrase:
      'enter|enable|enabled|activate|activated|switch|engage|start|now|into|in developer|god|debug|maintenance|dan|jailbreak|unrestricted|admin|root|sudo|unsafe|evil mode',
  },
  {
    name: 'named-mode-later',
    reason,
    weight: 0.3,
    phrase:
      'enter|enable|enabled|activate|activated|engage|switch|simulate|simulating 3 god|dan|jailbreak|unrestricted|sudo|unsafe|evil mode',
  },
  {
    name: 'mode-and-reveal',
    reason,
    weight: 0.3,
    phrase: 'developer|god|debug|maintenance|admin|root|diagnostic mode 2 AND 3 REVEAL',
  },
  {
    name: 'without-any-limit',
    reason,
    weight: 0.25,
    phrase: 'with|has|have|under no|zero restrictions|limitations|censorship|guardrails|rules|filters',
  },
  { name: 'you-are-now', reason, weight: 0.35, phrase: 'you are|re now' },
  { name: 'you-are-no-longer', reason, weight: 0.4, phrase: 'you are|re no longer' },
  {
    name: 'you-will-now-be',
    reason,
    weight: 0.6,
    phrase:
      'you|youll 2 now|hereby|henceforth 2 become|be|act|assume|take|play|pretend|behave|respond|follow|obey',
  },
  {
    name: 'as-another-ai',
    reason,
    weight: 0.4,
    phrase: 'PRETEND 5 another|different|new|fictional 2 ai|chatbot|model|assistant',
  },
  {
    name: 'stay-in-character',
    reason,
    weight: 0.3,
    phrase: 'stay|remain|stays|keep|never|break|breaks|breaking 2 character',
  },
  { name: 'as-an-ai-forbidden', reason, weight: 0.5, phrase: 'NEGATION 5 as an ai' },
  {
    name: 'illegal-or-unethical',
    reason,
    weight: 0.15,
    phrase:
      'illegal|immoral|unethical|harmful|dangerous|offensive|inappropriate 2 immoral|unethical|illegal|harmful|offensive|inappropriate|dangerous',
  },
  {
    name: 'openai-policy',
    reason,
    weight: 0.4,
    phrase:
      'openai|openais|anthropic|chatgpt|chatgpts 3 policy|policies|guidelines|rules|restrictions|content|limitations',
  },
  {
    name: 'two-answers',
    reason,
    weight: 0.5,
    phrase:
      'respond|answer|reply|responses|answers 5 two|twice|both 4 ways|responses|answers|normal|first|paragraphs',
  },
  {
    name: 'address-to-chatbot',
    reason,
    weight: 0.2,
    phrase: 'hello|hi|hey|dear|ok|listen 1 chatgpt|gpt|claude|gemini|llama|ai|assistant|chatbot',
  },
  { name: 'act-as-from-now', reason, weight: 0.5, phrase: 'you 3 going|want|about to 2 PRETEND' },
  {
    name: 'persona-does-all',
    reason,
    weight: 0.6,
    phrase:
      'answer|answers|respond|responds|comply|complies|fulfill|fulfills|provide|provides 3 any|every|all|anything 4 matter|regardless|without|even',
  },
];
