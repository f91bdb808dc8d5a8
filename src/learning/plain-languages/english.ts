/** What a person plainly asks to keep, in English. */
import { capitalised, type PlainLanguage, rule } from './language.ts';

/** What may stand before the words that matter. */
const POLITE = String.raw`(?:(?:please|pls|ok(?:ay)?|and|also|oh|thanks|hey|by the way|btw|(?:can|could|will|would) you(?: please)?)[,!]?\s+)*`;

export const ENGLISH: PlainLanguage = {
  requests: [
    rule(String.raw`^${POLITE}(?:remember|keep in mind|bear in mind)(?:\s+that\s+|\s*[:,]\s*)(?<said>.+)$`),
    rule(String.raw`^${POLITE}(?:do not|don['’]t) forget(?:\s+that\s+|\s*[:,]\s*)(?<said>.+)$`),
    rule(
      String.raw`^${POLITE}(?:from now on|going forward|in (?:the )?future|for future reference)\s*[,:]?\s+(?<said>.+)$`,
    ),
  ],
  proposals: [
    rule(String.raw`^${POLITE}(?<said>(?:always|never)\s+[a-z]+\s+.+)$`),
    rule(
      String.raw`^${POLITE}(?<said>(?:we|the team)(?:['’]ve|\s+have)?\s+(?:decided|agreed)\s+(?:to|that|on|against)\s+.+)$`,
    ),
    /^no[,.:]?\s+(?<said>(?:it(?:['’]s|\s+is|\s+was)|that(?:['’]s|\s+is)|(?:the|our|my)\s+[\w -]{1,60}?\s+(?:is|are|was|were))\s+[^,]{1,80},\s*not\s+.+)$/is,
  ],
  asksFor: /^\W*(?:\w+[,!]?\s+){0,3}(?:can|could|will|would) you\b/i,
  // "that time", "that bug we had": a thing that is pointed at. After "always" and "never" an order names a verb in its first form.
  notMeant: new RegExp(
    [
      String.raw`^(?:time|day|one|thing|bug|issue|error|problem|conversation|discussion|meeting|command|file|thread)s?\b(?=\s+(?:we|i|you|when|where|that|from|about|with|in)\b|[\s.!?]*$)`,
      String.raw`^(?:always|never)\s+(?:mind|a|an|the|been|seen|had|heard|knew|thought|got|was|is|are|good|nice|happy|glad|fun|ever|again|once|[a-z]+(?:ed|ing)|[a-z]{2,}(?:[^s\W]s|shes|ches|sses))\b`,
    ].join('|'),
    'i',
  ),
  passing:
    /\b(?:for now|right now|this time|today|tonight|for the moment|until (?:i|we|you)|(?:in|for|during) this (?:session|task|pr|pull request|branch|commit|change|file|chat|conversation)|when you are done|when you['’]re done)\b/i,
  sentence: (said) =>
    /\b(?:I|I['’]m|my|me|mine)\b/.test(said) ? `The user says: ${said}` : capitalised(said),
};
