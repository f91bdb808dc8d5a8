/** Rejects proposals that are not worth storing: pleasantries, questions, temporary states, secrets, parts of our prompt. */
import { findSecrets } from '../guard/index.ts';
import { analyze, isTelling } from '../kernel/analysis.ts';
import { isPassing } from './passing-state.ts';
import { compare } from './similarity.ts';

export type JunkReason =
  | 'says nothing'
  | 'greeting or thanks'
  | 'question'
  | 'passing state'
  | 'restated prompt'
  | 'injected text'
  | 'secret';

/** Words that alone, or among themselves, say nothing that lasts. */
const PLEASANTRY = new RegExp(
  `^(?:(?:${[
    'hi|hello|hey|howdy|good (?:morning|afternoon|evening|night)|bye|goodbye|see you|welcome|cheers|greetings',
    'thanks?(?: you| a lot| so much)*|thx|please|ok(?:ay)?|sure|great|nice|cool|perfect|awesome|sounds good|got it|yes|no',
    "good|fine|right|alright|done|agreed|yep|nope|you(?:’|')?re welcome|no problem|well done|good job|there|very much|again|all|everyone|assistant|agent|friend",
    'hallo|guten (?:tag|morgen|abend)|danke(?: schön)?|bitte|tschüss|bonjour|salut|merci(?: beaucoup)?|au revoir',
    'hola|gracias|adiós|buenos días|ciao|grazie|obrigad[oa]|olá|привет|спасибо|你好|谢谢|再见|こんにちは|ありがとう',
  ].join('|')})[\\s,.!…\\p{Emoji_Presentation}]*)+$`,
  'iu',
);
const ABOUT_PLEASANTRY =
  /\b(?:greeted|thanked|said (?:hi|hello|hey|thanks|thank you|goodbye|bye|good (?:morning|evening|night))|(?:expressed|showed) (?:gratitude|thanks|appreciation)|exchanged (?:greetings|pleasantries)|wished \w+ a good (?:day|evening|weekend)|(?:is|was) (?:polite|friendly|happy with the (?:answer|help|reply))|(?:started|began|opened) with (?:a greeting|greetings|small talk))\b|\b(?:sagte|sagt) (?:hallo|danke|tschüss|guten)|\b(?:bedankte|begrüßte)\b|\ba (?:dit bonjour|dit merci|salué|remercié)|\b(?:saludó|agradeció|dijo (?:hola|gracias))|\bha (?:salutato|ringraziato)\b|\b(?:cumprimentou|agradeceu)\b|поздоровал|поблагодарил|打了招呼|打招呼|表示感谢|挨拶し|感謝し|인사했/iu;
const QUESTION =
  /[?？]\s*$|^(?:the\s+)?user\s+(?:asked|asks|is asking|wondered|wonders|wanted to know|wants to know|inquired|enquired)\s+(?:about|what|whether|if|how|why|when|where|who|which|for help|the (?:time|date|weather|status|answer|result|price))\b/i;
const PROMPT =
  /\byou are (?:an?|the) [^.]{0,60}\b(?:assistant|agent|ai|chatbot|language model)\b|\b(?:assistant|agent) is (?:an? )?(?:helpful|ai|artificial|large language|designed|instructed|configured|here to help)\b|\bsystem prompt\b/i;
const INJECTED =
  /memory-context|\[Persistent Memory - MEMORY\.md\]|Relevant Past Knowledge|<\|\w+\|>|\[\/?INST\]/i;

/** Longer than this, a pleasantry stands beside something that was said. */
const SHORT = 100;

export function junkReason(content: string, system: readonly string[]): JunkReason | undefined {
  const text = content.trim();
  // Here too, because the guard may be switched off, or told to let them pass.
  if (findSecrets(text).length > 0) return 'secret';
  if (INJECTED.test(text)) return 'injected text';
  if (text.length <= SHORT && (PLEASANTRY.test(text) || ABOUT_PLEASANTRY.test(text)))
    return 'greeting or thanks';
  const words = analyze(text);
  if (words.length < 2 || !words.some((word) => isTelling(word) && word.length > 1)) return 'says nothing';
  if (QUESTION.test(text)) return 'question';
  if (isPassing(text)) return 'passing state';
  if (PROMPT.test(text) || restates(text, system)) return 'restated prompt';
  return undefined;
}

const SENTENCE_END = /[\n\r]+|(?<=[.!?])\s+/;
/** What stands before a memory in a prompt. */
const LABEL = /^[-*]\s+(?:\[[^\]]{0,300}\]\s+)?/;

/** Only prompts that are short enough to be compared sentence by sentence; nobody writes a thousand of them. */
const MOST_SENTENCES = 1_000;

/** How a prompt is told again: "you must" has become "the assistant must". */
const OWN_SUBJECT =
  /^(?:the )?(?:assistant|agent|ai|bot|chatbot|model)\s+(?:(?:should|must|shall|will|can|has to|needs to|is to|is expected to|is told to|is asked to|is named|is called)\s+)?/i;

function restates(text: string, system: readonly string[]): boolean {
  const sentences = system.flatMap((prompt) => prompt.split(SENTENCE_END)).slice(0, MOST_SENTENCES);
  const said = text.replace(LABEL, '');
  const order = said.replace(OWN_SUBJECT, '');
  return sentences.some((each) => {
    const sentence = each.replace(LABEL, '');
    if (compare(sentence, said) === 'same') return true;
    // Of what the agent shall do, a part of an order is not news either.
    return order !== said && compare(order, sentence) !== 'different';
  });
}
