/** Checks whether a text contains the kind of answer that a question asks for: a time or a number. English only. */

/** "When I travel, where do I sleep?" asks for a place. */
const ASKS_TIME =
  /^\W*(?:(?:since |until |by |from )?when(?:['’]s| (?:is|are|was|were|do|does|did|will|would|has|have|had|can|should|must)\b)|(?:at )?what time\b|(?:on )?(?:what|which) (?:day|date|month|year|weekday)\b)/i;
const ASKS_NUMBER =
  /\bhow (?:many|much|old|tall|long|far|big|large|often|high|heavy)\b|\b(?:phone|account|telephone|serial|room|order|invoice|customer|policy|passport) number\b|^\W*(?:what|which) (?:port|price|salary|budget|code|pin)\b/i;

/** A digit, or a word that may say when: rather too many of them than too few. */
const TIME =
  /\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|morning|noon|afternoon|evening|night|midnight|today|tomorrow|yesterday|week(?:end|ly)?s?|month(?:ly)?s?|year(?:ly)?s?|daily|days?|hour(?:ly)?s?|minutes?|every|each|before|after|until|since|during|once|always|never|christmas|easter|quarter(?:ly)?|sprint|end|start|first|last|next|soon|late|early)\b/i;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|twice|once|double|dozen|no|none|every|daily|weekly|monthly|yearly|each|only|never|always|couple|few|several|many|all|both)\b/i;
/** More of a question or a fact is not read. */
const MOST_CHARACTERS = 1_000;

interface Kinds {
  readonly query: string;
  readonly asksTime: boolean;
  readonly asksNumber: boolean;
}

/** Of the last question: all its hits are compared with it. */
let last: Kinds | undefined;

function kindsAskedBy(query: string): Kinds {
  if (last?.query === query) return last;
  const asked = query.slice(0, MOST_CHARACTERS);
  last = { query, asksTime: ASKS_TIME.test(asked), asksNumber: ASKS_NUMBER.test(asked) };
  return last;
}

/** Whether the question asks when or how many, and nothing in the text says a time or a number. */
export function lacksKind(query: string, content: string): boolean {
  const { asksTime, asksNumber } = kindsAskedBy(query);
  if (!asksTime && !asksNumber) return false;
  const text = content.slice(0, MOST_CHARACTERS);
  return (asksTime && !TIME.test(text)) || (asksNumber && !NUMBER.test(text));
}
