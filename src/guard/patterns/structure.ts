/** Forged structure: text that imitates turns, roles or fences. Refused for every origin. */
import type { Shape } from '../pattern.ts';

const marker = { reason: 'role-marker', weight: 1 } as const;
const hidden = { reason: 'hidden-text', weight: 1 } as const;

/** What Keepsake itself puts around memories; not even a document may hold it. */
export const OWN_FORMATS: readonly Shape[] = [
  {
    ...marker,
    name: 'memory-fence',
    shape: /<[\s/\\]{0,16}memory[\s_\p{Pd}\u2212]{0,4}context\b/u,
  },
  {
    ...marker,
    name: 'other-fence',
    shape:
      /<[\s/\\]{0,16}(?:memory[\s_\p{Pd}\u2212]{0,4}file|document[\s_\p{Pd}\u2212]{0,4}context|swarm[\s_\p{Pd}\u2212]{0,4}briefing)\b/u,
  },
  {
    ...marker,
    name: 'preload-mark',
    shape: /(?:^|\n)[ \t]{0,8}\[persistent memory[ \t]{0,4}[\p{Pd}\u2212:][ \t]{0,4}memory\.md\]/u,
  },
];

/** All are tried on text in lower case. */
export const FORGED_ROLES: readonly Shape[] = [
  {
    ...marker,
    name: 'chat-template',
    shape:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|end_of_turn|endofprompt|start|end|message|channel|return|call)\|?>/,
  },
  { ...marker, name: 'instruction-brackets', shape: /\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>/ },
  {
    ...marker,
    name: 'turns',
    shape:
      /(?:^|\n)[ \t>*_]{0,8}(?:human[ \t*_]{0,4}:[^\n]{0,2000}\n{1,4}[ \t>*_]{0,8}(?:assistant|ai|bot)[ \t*_]{0,4}:|user[ \t*_]{0,4}:[^\n]{0,2000}\n{1,4}[ \t>*_]{0,8}assistant[ \t*_]{0,4}:[^\n]{0,2000}\n{1,4}[ \t>*_]{0,8}user[ \t*_]{0,4}:)/,
  },
  {
    ...marker,
    name: 'role-heading',
    shape: /(?:^|\n)[ \t]{0,8}#{1,6} ?(?:system|assistant|human)[ \t]{0,4}(?:[:–—]|-[ \t])[^\n]{0,400}/,
  },
  {
    ...marker,
    name: 'instruction-and-response',
    shape: /(?:^|\n)#{1,6} ?instruction:[^#]{0,2000}\n#{1,6} ?response:/,
  },
  {
    ...marker,
    name: 'role-tag',
    shape:
      /<\/(?:system|assistant|human)>|<system>|<\/?system[-_ ](?:reminder|prompt|message|instructions?|note)>|<\/(?:user|instructions?)>[ \t\n]{0,8}<(?:system|assistant)|<\/?(?:function_calls|function_results|tool_result|tool_results|tool_response|tool_call|tool_use|antml:\w{1,20})>/,
  },
  {
    ...marker,
    name: 'instructions-tag',
    shape:
      /^[ \t\n]{0,8}<(?:instructions?|system_instructions|rules)>[^<]{0,2000}<\/(?:instructions?|system_instructions|rules)>/,
  },
  {
    ...marker,
    name: 'role-fence',
    shape: /(?:^|\n)[ \t]{0,8}(?:`{3,8}|~{3,8})[ \t]{0,4}(?:system|assistant|human)[ \t]{0,4}\n/,
  },
  {
    ...marker,
    name: 'bracketed-role',
    shape:
      /(?:^|\n)[ \t]{0,8}\[(?:system|assistant|sys|system[ _-]?(?:prompt|message|instruction|instructions|note|override|update))\][ \t]{0,4}:?[ \t]{1,4}(?!(?:is|was|are|has|in|section|table|block|and|or|may|must|can|holds|contains)\b)[^\n=]{3}/,
  },
  {
    ...marker,
    name: 'message-object',
    shape:
      /^[ \t\n[]{0,8}\{[ \t\n]{0,8}"role"[ \t]{0,4}:[ \t]{0,4}"(?:system|developer|assistant)"[ \t\n]{0,8},|^[ \t\n-]{0,8}role:[ \t]{0,4}(?:system|developer|assistant)[ \t]{0,4}\n[ \t]{0,8}content:/,
  },
  {
    ...marker,
    name: 'titled-border',
    shape:
      /(?:^|\n)[ \t]{0,8}[=*#~_-]{3,40}[ \t]{0,4}(?:begin |start |new )?system[ _-](?:prompt|message|instructions?|override)[ \t]{0,4}[=*#~_-]{3}/,
  },
  {
    ...marker,
    name: 'end-and-new-orders',
    shape:
      /(?:^|\n)[ \t]{0,8}[=*#~<_-]{2,40}[ \t]{0,4}\/?end[a-z \t]{0,60}[=*#~>_-]{2,40}[ \t]{0,4}\n{1,4}[ \t]{0,8}(?:new |updated |real )?(?:instructions?|system|orders?|task)\b/,
  },
  {
    ...hidden,
    // A comment is not shown to the reader of a page; one that speaks to a model is meant for nobody else.
    name: 'comment-to-model',
    shape:
      /<! ?--[^>]{0,300}(?:\b(?:if|since|because|as) you(?: are|'re|’re) (?:an? )?(?:ai|assistant|llm|language model|large language model|agent|chatbot|bot)\b|\b(?:note|message|attention|instructions?|notice|hint) (?:to|for) (?:the |any |all )?(?:ai|assistants?|llms?|language models?|agents?|chatbots?|models?)\b|\b(?:ai|ai agents?|ai assistants?|assistants?|llms?|language models?|chatbots?|agents)[ \t]{0,2}[:,][ \t]|\b(?:ai agents?|ai assistants?|ais|llms?|language models?|chatbots?) (?:must|should|have to|shall|need to)\b)/,
  },
  {
    ...hidden,
    name: 'hidden-element',
    shape:
      /<[a-z]{1,12}[^<>]{0,200}(?:display[ \t]{0,2}:[ \t]{0,2}none|visibility[ \t]{0,2}:[ \t]{0,2}hidden|font-size[ \t]{0,2}:[ \t]{0,2}0|opacity[ \t]{0,2}:[ \t]{0,2}0|[ \t]hidden\b)[^<>]{0,200}>[^<]{0,400}\b(?:ai|assistants?|llms?|language models?|agents?|chatbots?|instructions?)\b/,
  },
];

export const STRUCTURE: readonly Shape[] = [...OWN_FORMATS, ...FORGED_ROLES];
