/** What a person plainly asks to keep, in German. */
import { capitalised, type PlainLanguage, rule } from './language.ts';

const POLITE = String.raw`(?:(?:bitte|und|ok(?:ay)?|danke|ach|also|hey|übrigens|auch|noch was)[,!:]?\s+)*`;
const EXTRA = String.raw`(?:\s+(?:bitte|auch|noch|außerdem|mal|doch))*`;
const THAT = String.raw`(?:\s*,?\s+(?=dass\s)|\s*:\s*)(?<said>.+)$`;
/** Orders to one person; most end with an e, and so do many words that are none. */
const NOT_AN_ORDER = '(?:wie|alle|heute|diese|die|eine|keine|habe|werde|würde|wäre|gerade|fast|ich|es|das)';
const ORDER = String.raw`(?!${NOT_AN_ORDER}\s)(?!(?!achte|beachte|teste|arbeite|antworte|starte|richte|halte)\p{L}+te\s)(?:\p{L}+e|nimm|gib|lies|schreib|benutz|mach|führ|lass|prüf|verwend|bau|füg|setz|halt|sprich|antwort|nutz|lösch|frag|test|\p{L}+en\s+sie)`;

export const GERMAN: PlainLanguage = {
  requests: [
    rule(String.raw`^${POLITE}(?:merke?\s+dir|merkt\s+euch|merken\s+sie\s+sich)${EXTRA}${THAT}`),
    rule(String.raw`^${POLITE}(?:denke?|denkt|denken\s+sie)${EXTRA}\s+(?:daran|dran)${THAT}`),
    rule(String.raw`^${POLITE}(?:vergiss|vergesst|vergessen\s+sie)${EXTRA}\s+nicht${THAT}`),
    rule(
      String.raw`^${POLITE}(?:behalte?|behalten\s+sie)${EXTRA}\s+(?:im\s+(?:kopf|hinterkopf|gedächtnis)|in\s+erinnerung)${THAT}`,
    ),
    rule(String.raw`^${POLITE}(?:kannst|könntest|würdest)\s+du\s+dir${EXTRA}\s+merken${THAT}`),
    rule(String.raw`^${POLITE}(?:können|könnten|würden)\s+sie\s+sich${EXTRA}\s+merken${THAT}`),
    rule(
      String.raw`^${POLITE}(?<said>(?:ab\s+jetzt|ab\s+sofort|von\s+nun\s+an|in\s+zukunft|künftig|zukünftig)\s*[,:]?\s+(?!(?:wird|werden|wäre|könnte|will|wollen|soll|sollte|kommt|gibt|geht|läuft|ist|mal|vielleicht)\s).+)$`,
    ),
  ],
  proposals: [
    rule(
      String.raw`^${POLITE}(?<said>${ORDER}\s+(?:immer|stets|nie|niemals)\s+(?!noch|wieder|mehr|wenn).+)$`,
    ),
    rule(
      String.raw`^${POLITE}(?<said>(?:immer|stets|nie|niemals)\s+(?!ge\p{L}+(?:t|en)[\s,.!])\S+\s+(?:.*\s)?\p{L}+en[.!]*)$`,
    ),
    rule(
      String.raw`^${POLITE}(?<said>(?:wir\s+haben|das\s+team\s+hat)\s+(?!.*\b(?:noch|nicht|nie|kaum)\s+(?:entschieden|beschlossen|vereinbart|geeinigt|festgelegt))(?:[^,?]{1,60}\s+)?(?:entschieden|beschlossen|vereinbart|geeinigt|festgelegt)(?:[\s,.!].*)?)$`,
    ),
    rule(
      String.raw`^nein[,.:]?\s+(?<said>(?:es|das|(?:der|die|das|unser\p{L}*|mein\p{L}*)\s+[\p{L}\d_ -]{1,60}?)\s+(?:ist|sind|war|heißt|heisst|lautet|liegt|läuft)\s+[^,]{1,80},\s*nicht\s+.+)$`,
    ),
  ],
  asksFor: /(?:kannst|könntest|würdest)\s+du\s+dir\s|(?:können|könnten|würden)\s+sie\s+sich\s/i,
  notMeant:
    /^(?:dass\s+)?\S+[.!]*$|^(?:immer|stets|nie|niemals)\s+(?:dies|wieder|noch|mehr)|^(?:es|das)\s+ist\s+(?:gut|ok|okay|egal|klar|richtig|fertig|schlimm)[\s,]/i,
  passing:
    /(?:vorerst|diesmal|dieses mal|heute|im moment|momentan|fürs erste|erst einmal|bis (?:ich|wir|du)|in dieser? (?:sitzung|datei|aufgabe|session)|in diesem (?:pr|pull request|branch|commit|chat|gespräch|fall)|wenn du fertig bist)/i,
  sentence: (said) => {
    const isOfUser = /(?:^|\s)(?:ich|mir|mich|mein\p{L}*)(?=[\s,.!])/iu.test(said);
    if (/^dass\s/i.test(said))
      return `${isOfUser ? 'Der Nutzer sagt' : 'Es gilt'}, ${said.replace(/^D/, 'd')}`;
    return isOfUser ? `Der Nutzer sagt: ${said}` : capitalised(said);
  },
};
