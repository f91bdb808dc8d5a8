/** What is not worth remembering, whoever proposes it: pleasantries, questions, the state of the moment, secrets, our prompt. */
import { findSecrets } from '../guard/index.ts';
import { analyze, isTelling } from '../kernel/analysis.ts';
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
  /\b(?:greeted|thanked|said (?:hi|hello|hey|thanks|thank you|goodbye|bye|good (?:morning|evening|night))|(?:expressed|showed) (?:gratitude|thanks|appreciation)|exchanged (?:greetings|pleasantries)|wished \w+ a good (?:day|evening|weekend)|(?:is|was) (?:polite|friendly|happy with the (?:answer|help|reply)))\b/i;
const QUESTION =
  /[?？]\s*$|^(?:the\s+)?user\s+(?:asked|asks|is asking|wondered|wonders|wanted to know|wants to know|inquired|enquired)\s+(?:about|what|whether|if|how|why|when|where|who|which|for help)\b/i;
const NOW = String.raw`\b(?:now|right now|at the moment|at this moment|currently|at present|just now|in progress|still|for the moment|so far)\b`;
const DOING = String.raw`\b(?:runn|test|wait|deploy|install|compil|load|check|search|debugg|look|read|open|process|download|upload|retry|think)\w*ing\b|\b(?:running|waiting)\b`;
const PASSING = [
  new RegExp(`(?:${DOING})[^.]{0,60}${NOW}|${NOW}[^.]{0,40}(?:${DOING})`, 'i'),
  /\b(?:tests?|suite|build|server|pipeline|ci|job|deploy(?:ment)?|script|process|command)\b[^.]{0,20}\b(?:is|are|was|were)\s+(?:now |still |currently |all |both )?(?:running|passing|failing|green|red|up|down|done|finished|in progress|starting|stuck)\b/i,
  /^(?:i am|i['’]m|i will|i['’]ll|let me|we are|we['’]re)\s+(?:now\s+|going to\s+|about to\s+|just\s+)?(?:check|look|run|open|read|start|try|search|test|wait|see|find)\w*\b/i,
  /^.{0,60}\b(?:is|are|was|were) (?:now |all |still )?(?:fine|ok(?:ay)?|ready)[.!]?$/i,
  /\b(?:this|the current|today['’]s) (?:session|conversation|chat)\b/i,
];
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
  if (PASSING.some((pattern) => pattern.test(text))) return 'passing state';
  if (PROMPT.test(text) || restates(text, system)) return 'restated prompt';
  return undefined;
}

const SENTENCE_END = /[\n\r]+|(?<=[.!?])\s+/;
/** What stands before a memory in a prompt. */
const LABEL = /^[-*]\s+(?:\[[^\]]{0,300}\]\s+)?/;

/** Only prompts that are short enough to be compared sentence by sentence; nobody writes a thousand of them. */
const MOST_SENTENCES = 1_000;

function restates(text: string, system: readonly string[]): boolean {
  const sentences = system.flatMap((prompt) => prompt.split(SENTENCE_END)).slice(0, MOST_SENTENCES);
  const said = text.replace(LABEL, '');
  return sentences.some((sentence) => compare(sentence.replace(LABEL, ''), said) === 'same');
}
