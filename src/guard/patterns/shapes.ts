/** Weaker signals without words: separators, commands, URLs that exfiltrate data. */
import type { Shape } from '../pattern.ts';

const marker = { reason: 'role-marker' } as const;
const exfiltration = { reason: 'exfiltration' } as const;
const tool = { reason: 'tool-abuse' } as const;

/** All are tried on text in lower case. */
export const SHAPES: readonly Shape[] = [
  {
    ...marker,
    name: 'role-in-brackets',
    weight: 0.25,
    shape:
      /(?:^|\n|\s)[[<{]\/?(?:system|sys|assistant|system[ _-]?(?:prompt|message|instruction|instructions|note|override|update))[\]>}]/,
  },
  {
    ...marker,
    name: 'heading-of-role',
    weight: 0.2,
    shape:
      /(?:^|\n)[ \t]{0,8}#{2,6} ?(?:system|assistant|human|user|instruction|response)(?: ?(?:prompt|message|override|instruction|instructions))?:?[ \t]{0,8}(?:\n|$)/,
  },
  {
    ...marker,
    name: 'role-line',
    weight: 0.5,
    shape:
      /(?:^|\n)[ \t]{0,8}(?:system|system (?:prompt|message|override|instruction|notice|update))[ \t]{0,4}: ?[^\n]{8}/,
  },
  {
    ...marker,
    name: 'forged-end',
    weight: 0.7,
    shape:
      /[%#=*\-—~<>[\]`"+]{2,40}[ \t]{0,4}\/?(?:end|begin|start|stop|close|finish)[ \t]{1,4}(?:of[ \t])?[a-z \t]{0,40}\b(?:prompts?|input|instructions?|user|system|context|messages?|conversation|session|document|data|query|rules?|task|memory|output|text)\b/,
  },
  {
    ...marker,
    name: 'border',
    weight: 0.4,
    shape: /[%#=*—~]{2,40}[ \t]{0,4}\/?(?:end|begin|start|stop)\b[a-z \t]{0,40}[%#=*—~]{2}/,
  },
  {
    ...marker,
    name: 'end-of-input',
    weight: 0.6,
    shape:
      /(?:^|\n)[ \t]{0,8}(?:end of (?:user )?(?:input|prompt|instructions|message)|user input end|end (?:user )?input|end (?:system )?prompt)\b/,
  },
  {
    ...marker,
    name: 'labelled-instruction',
    weight: 0.2,
    shape:
      /(?:^|\n)[ \t]{0,8}(?:new |updated |real )?(?:instructions?|task|rules?|commands?)[ \t]{0,4}: ?[^\n]{8}/,
  },
  {
    ...marker,
    name: 'border-line',
    weight: 0.5,
    shape:
      /(?:^|\n)[^\p{L}\p{N}\n]{0,20}(?:end|begin|start)[ \t](?:of[ \t])?[a-z \t]{0,48}\b(?:prompt|input|instructions|message|rules|context)[^\p{L}\p{N}\n]{0,20}(?:\n|$)/u,
  },
  {
    reason: 'output-forcing',
    name: 'bare-command',
    weight: 0.6,
    shape:
      /^[^\p{L}\p{N}]{0,4}(?:please )?(?:just |only |now )?(?:say|print|output|write|reply|respond|answer|return)\b[^\n"“'.]{0,24}["“'‘][^"”\n]{2,60}["”'’][^\p{L}\p{N}]{0,4}$/u,
  },
  {
    reason: 'output-forcing',
    name: 'reshape-your-reply',
    weight: 0.6,
    shape:
      /(?:^|[.!?\n])[^\p{L}\n]{0,6}(?:please )?(?:modify|alter|enhance|enrich|augment|convert|translate|render|encode|encrypt|scramble|jumble|shift|reverse|rearrange|integrate|introduce|incorporate|weave|embed|combine)\b[^.\n]{0,60}\byour (?:response|reply|answer|output)s?\b/u,
  },
  {
    reason: 'output-forcing',
    // Nothing but an order about the answer: as a memory it says nothing, and people give it in a conversation.
    name: 'order-about-your-reply',
    weight: 0.6,
    shape:
      /^[^\p{L}\n]{0,6}(?:please )?(?:adjust|replace|substitute|apply|use|group|insert|include|add|mention|provide|deliver|craft|write|compose|phrase|present|format|swap|change|make|remove|omit|split|spell|repeat)\b[^\n]{0,100}\byour (?:response|reply|answer|output)s?\b[^\n]{0,80}$/u,
  },
  {
    reason: 'output-forcing',
    name: 'in-your-reply-mention',
    weight: 0.6,
    shape:
      /(?:^|[.!?\n])[^\p{L}\n]{0,6}(?:in|within|throughout|during) your (?:response|reply|answer|output)s?\b[^.\n]{0,12}\b(?:mention|include|insert|embed|hint|allude|refer|reference|recommend|promote|suggest|advertise|emphasi[sz]e|highlight|add|tease)\b/u,
  },
  {
    ...tool,
    name: 'code-to-insert',
    weight: 0.6,
    shape:
      /\b(?:add|adding|addition|include|including|inclusion|insert|insertion|incorporat(?:e|ing|ion)|integrat(?:e|ing|ion)|embed(?:ding)?|blend(?:ing)?|merge|merging|employ(?:ing)?|leverag(?:e|ing)|utili[sz](?:e|ing)|featured?|weave|append|adopt(?:ing)?|fus(?:e|ing)|inject(?:ing)?)\b[^.\n]{0,60}\b(?:following|below) (?:\w{1,16} )?(?:code|script)\b/,
  },
  {
    ...tool,
    name: 'code-for-yours',
    weight: 0.6,
    shape:
      /\byour (?:\w{1,16} )?(?:code|implementation|solution|algorithm|program|project|codebase|application)\b[^.\n]{0,60}\b(?:following|below) (?:\w{1,16} )?(?:code|script)\b/,
  },
  {
    ...tool,
    name: 'endless-processes',
    weight: 0.5,
    shape: /\bwhile true:\s{1,12}(?:os\.fork|os\.system|subprocess\.|requests\.)|:\(\) ?\{ ?:\|:/,
  },
  { ...tool, name: 'remove-everything', weight: 0.5, shape: /\brmtree\(["'](?:\/|~|c:)/ },
  {
    reason: 'hidden-text',
    // A comment is not shown to the reader of a page; an order in one is meant for somebody else.
    name: 'order-in-comment',
    weight: 0.6,
    shape:
      /<! ?--[^>]{0,300}\b(?:ignore|disregard|ignorez|ignora|ignoriere)\b[^>]{0,80}\b(?:page|text|website|content|above|code|state|say|print|instead)\b/,
  },
  {
    reason: 'persistence',
    name: 'asks-to-remember',
    weight: 0.3,
    shape: /^[^\p{L}\n]{0,4}remember(?::| that\b)/u,
  },
  {
    reason: 'fake-authority',
    name: 'forged-note',
    weight: 0.3,
    shape:
      /(?:^|\n)[^\p{L}\p{N}\n]{0,4}(?:(?:user|saved|stored|agent|assistant|system|memory|admin|security|important|urgent|priority|internal)[ \t]){1,2}(?:preference|policy|note|update|memory|rule|directive|instruction|notice|reminder)s?\b[^\n:]{0,40}:/u,
  },
  {
    ...tool,
    name: 'foreign-registry',
    weight: 0.5,
    shape:
      /\b(?:pip3?|npm|yarn|pnpm|gem|cargo)\b[^\n]{0,60}(?:--(?:extra-)?index-url|--registry|-i)[ =]{1,2}http:\/\//,
  },
  {
    reason: 'persistence',
    name: 'steer-to-address',
    weight: 0.6,
    shape:
      /\b(?:always|when|whenever|every time|each time)\b[^\n]{0,100}\b(?:include|append|add|insert|recommend|suggest|redirect|visit|contact|verify|direct|contacting)\b[^\n]{0,60}(?:https?:\/\/|\b[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,12})/,
  },
  {
    ...exfiltration,
    name: 'image-with-data',
    weight: 0.8,
    shape: /!\[[^\]\n]{0,200}\]\([ \t]{0,4}https?:\/\/[^\s)]{1,200}[?&][a-z_]{1,30}=(?:[{[$<]|%7b|["'])/,
  },
  {
    ...exfiltration,
    name: 'send-to-address',
    weight: 0.4,
    shape:
      /\b(?:send|forward|upload|exfiltrate|transmit|leak|e-?mail|bcc|enviar?|envoye[rz]|senden?)\b[^\n]{0,80}(?:https?:\/\/|\b[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,12}|\b(?:webhook|ngrok|requestbin|pastebin|collector|[\w-]{2,30}\.(?:xyz|tk|ru|io|ml))\b)/,
  },
  {
    ...exfiltration,
    name: 'secret-over-network',
    weight: 0.7,
    shape:
      /\b(?:curl|wget|nc|invoke-webrequest)\b[^\n]{0,120}(?:\$\((?:cat|env|printenv|whoami)|\.env\b|\/etc\/passwd|id_rsa|\.ssh\/|aws\/credentials)/,
  },
  {
    ...exfiltration,
    name: 'secret-file-away',
    weight: 0.7,
    shape:
      /\b(?:upload|send|post|exfiltrate|leak|email|forward|share|tell)\b[^\n]{0,60}(?:\.env\b|\/etc\/passwd|id_rsa|\.ssh\/|aws\/credentials|api[_ ]?keys?)[^\n]{0,40}\bto\b/,
  },
  {
    ...tool,
    name: 'pipe-to-shell',
    weight: 0.5,
    shape: /\b(?:curl|wget)\b[^\n|]{0,200}\|[ \t]{0,4}(?:sudo )?(?:ba|z|da)?sh\b/,
  },
  {
    ...tool,
    name: 'eval-of-encoded',
    weight: 0.8,
    shape:
      /\b(?:eval|exec|function)[ \t]{0,4}\([ \t]{0,4}(?:atob|base64|buffer\.from|codecs|bytes\.fromhex|__import__)/,
  },
  {
    ...tool,
    name: 'destroy',
    weight: 0.5,
    shape: /\brm -(?:rf|fr) (?:\/|~|\$home|\*)(?:\s|$|["'`]|usr|etc|home|var)/,
  },
  {
    reason: 'hidden-text',
    name: 'split-payload',
    weight: 0.6,
    shape:
      /\b(?:part|parte|partie|teil|bagian|bahagi|часть|bolum|rhan)[ \t]{1,2}(?:1|one|a)\b[^\n]{0,12}["'«“„][^\n]{1,200}\b(?:part|parte|partie|teil|bagian|bahagi|часть|bolum|rhan)[ \t]{1,2}(?:2|two|b)\b[^\n]{0,12}["'«“„]/,
  },
  {
    reason: 'output-forcing',
    name: 'say-quoted',
    weight: 0.1,
    shape:
      /\b(?:say|print|output|respond|reply|answer|return|write|type)\b[^\n."“]{0,30}["“'‘[][^"”'’\n]{2,60}["”'’\]]/,
  },
];
