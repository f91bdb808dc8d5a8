/** Statements that were true for a moment: what is running, what the time is, how somebody feels, what was just said. */

const NOW = String.raw`\b(?:now|right now|at the moment|at this moment|currently|at present|just now|in progress|still|for the moment|so far)\b`;
const DOING = String.raw`\b(?:runn|test|wait|deploy|install|compil|load|check|search|debugg|look|read|open|process|download|upload|retry|think)\w*ing\b|\b(?:running|waiting)\b`;
const WORK = String.raw`(?:builds?|tests?|suite|servers?|pipeline|ci|jobs?|deploy(?:ment)?|script|process|command|task|migration|upload|download|install(?:ation)?|(?:npm|pip|cargo|yarn|pnpm|git) \w{1,20}|file|changes?)`;
const AGENT = '(?:the )?(?:assistant|agent|ai|bot|chatbot|model)';
const USER = '(?:the )?user';
/** One request is a request; a request that applies permanently is a preference. */
const FOR_GOOD = String.raw`(?!.{0,200}\b(?:always|never|every|each|from now on|in future|whenever)\b)`;

const PASSING = [
  new RegExp(`(?:${DOING})[^.]{0,60}${NOW}|${NOW}[^.]{0,40}(?:${DOING})`, 'i'),
  /\b(?:tests?|suite|build|server|pipeline|ci|job|deploy(?:ment)?|script|process|command)\b[^.]{0,20}\b(?:is|are|was|were)\s+(?:now |still |currently |all |both )?(?:running|passing|failing|green|red|up|down|done|finished|in progress|starting|stuck)\b/i,
  /^(?:i am|i['’]m|i will|i['’]ll|let me|we are|we['’]re)\s+(?:now\s+|going to\s+|about to\s+|just\s+)?(?:check|look|run|open|read|start|try|search|test|wait|see|find)\w*\b/i,
  /^.{0,60}\b(?:is|are|was|were) (?:now |all |still )?(?:fine|ok(?:ay)?|ready)[.!]?$/i,
  /\b(?:this|the current|today['’]s) (?:session|conversation|chat)\b/i,
  /^(?:the |this |our )?(?:session|conversation|chat|discussion) (?:(?:is|was) about|(?:started|began|ended|opened) with|covered|focused on)\b/i,
  // How work went, and nothing else: with a reason it would be worth knowing.
  new RegExp(
    `^(?:the |all |both |our |\\d{1,6} |of ){0,4}${WORK}\\b[^.,]{0,20}\\b(?:passe?d?|failed|finished|completed|succeeded|done|complete|saved|applied)(?: successfully| just now| now| again| without errors)?[.!]?$`,
    'i',
  ),
  /^(?:it(?: is|['’]s) (?:now )?(?:\d{1,2}(?::\d{2})?\b|\w{3,6}day\b)|(?:the )?(?:current|present|today['’]s) (?:time|date|day)\b|today is\b)/i,
  // What was said or done in the conversation, rather than what it was about.
  new RegExp(
    `^${AGENT} (?:has |then |also )?(?:provided|apologi[sz]ed|answered|responded|replied|explained|offered|listed|gave|greeted|acknowledged|summari[sz]ed|thanked|asked|is (?:about|going) to|will (?:now|next))\\b`,
    'i',
  ),
  new RegExp(
    `^${USER} (?:has |then )?(?:asked|told|requested|wants|wanted) (?:the )?(?:assistant|agent|bot|you) (?:to|for)\\b${FOR_GOOD}`,
    'i',
  ),
  new RegExp(
    `^${USER} (?:has |then )?(?:(?:confirmed|approved|agreed|accepted|declined)(?: (?:with|by saying) (?:yes|no|ok(?:ay)?)| (?:it|this|that|the (?:change|changes|plan|answer|suggestion|proposal)))?[.!]?$|said (?:yes|no|ok(?:ay)?)\\b|(?:has )?not (?:answered|replied|responded)\\b|opened (?:the |a )?(?:file|tab|editor|page|terminal|document)\\b)`,
    'i',
  ),
  new RegExp(
    `^${USER} (?:is|was|seems|seemed|feels|felt|sounds|looks) (?:now |currently |very |quite |a bit |rather |so ){0,2}(?:happy|sad|tired|angry|annoyed|frustrated|confused|satisfied|pleased|busy|bored|excited|in a hurry|online|offline|away|back|ready|typing|waiting|here)(?: today| now| right now| at the moment| again| with (?:it|this|that))?[.!]?$`,
    'i',
  ),
  /\b(?:läuft|laufen|wartet) (?:gerade|derzeit|noch)\b|\b(?:est|sont) en cours\b|\b(?:está|están) (?:ejecutando|corriendo|esperando|compilando)|\b(?:è|sono) in corso\b|正在(?:运行|等待|构建|部署|测试|下载|安装)|сейчас (?:выполня|запуска|ожида)/iu,
];

export function isPassing(text: string): boolean {
  return PASSING.some((pattern) => pattern.test(text));
}
