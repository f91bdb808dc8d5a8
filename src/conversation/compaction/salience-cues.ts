/** Weighs how important a sentence looks: decisions, wishes, errors, open questions, numbers, names and code. */

interface Cue {
  readonly pattern: RegExp;
  readonly weight: number;
}

const CUES: readonly Cue[] = [
  // Decisions and agreements.
  {
    pattern:
      /(?<!\p{L})(decid\w+|decision|agreed?|chos[ei]\w*|choose|settled|approved|rejected|we(?:'ll| will)|let's|going with|instead of|entschieden|entscheidung|beschlossen|vereinbart|stattdessen)(?!\p{L})|决定|選択|決定/iu,
    weight: 1.6,
  },
  // What the user wants from now on.
  {
    pattern:
      /(?<!\p{L})(prefers?|preferred|always|never|must(?: not)?|should(?: not)?|don't|do not|remember|important|require[ds]?|immer|niemals|nie|muss|müssen|soll|bevorzug\w+|wichtig)(?!\p{L})|偏好|必须|不要|总是/iu,
    weight: 1.2,
  },
  // Errors and how they went away.
  {
    pattern:
      /(?<!\p{L})(error|exception|fail(?:s|ed|ure)?|bug|crash\w*|broken|fix(?:ed)?|solved|workaround|root cause|timeout|fehler|gescheitert|behoben|gelöst)(?!\p{L})|错误|失败|エラー/iu,
    weight: 1.3,
  },
  // Open ends.
  {
    pattern:
      /(?<!\p{L})(todo|next steps?|open question|follow[- ]?up|deadline|due|pending|blocked|noch offen|offene frage|frist)(?!\p{L})|截止|待办|下一步/iu,
    weight: 1.3,
  },
  { pattern: /[?？]\s*$/u, weight: 0.8 },
  // Numbers, dates, money, versions.
  { pattern: /\d/, weight: 0.6 },
  { pattern: /\d{4}-\d{2}-\d{2}|[$€£¥]\s?\d|\d\s?(?:%|ms|GB|MB|h|days?)\b|v?\d+\.\d+/i, weight: 0.5 },
  // Names inside a sentence, code, paths and addresses.
  { pattern: /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\d]+/u, weight: 0.5 },
  { pattern: /`[^`]+`|https?:\/\/|(?:^|\s)[\w.-]+\/[\w./-]+/, weight: 0.5 },
  // Courtesies.
  {
    pattern:
      /^(?:hi|hello|hey|thanks?|thank you|sure|ok(?:ay)?|great|of course|you're welcome|good morning|sounds good|how (?:can|may) I help)\b/i,
    weight: -2,
  },
];

export function cueWeight(sentence: string): number {
  let sum = 0;
  for (const { pattern, weight } of CUES) if (pattern.test(sentence)) sum += weight;
  return sum;
}
