/** Patterns of common attacks in other languages, with their own words and word order. */
import type { Phrase } from '../pattern.ts';

const override = { reason: 'override-phrase', weight: 0.8, unlessNegated: true } as const;
const extraction = { reason: 'prompt-extraction', weight: 0.8, unlessNegated: true } as const;
const persistence = { reason: 'persistence', weight: 0.5 } as const;
const jailbreak = { reason: 'jailbreak-trigger', weight: 0.6 } as const;
const concealment = { reason: 'concealment', weight: 0.5 } as const;
const exfiltration = { reason: 'exfiltration', weight: 0.5 } as const;

const henceforth = (name: string, words: string): Phrase => ({
  ...persistence,
  name: `henceforth-${name}`,
  phrase: `${words} 9 ALWAYS`,
});

export const LANGUAGES: readonly Phrase[] = [
  // Where ignoring takes two words.
  { ...override, name: 'pass-over-rules', phrase: 'bỏ qua 6 RULES' },
  { ...override, name: 'rules-pass-over', phrase: 'PRIOR 5 RULES 3 yok say*|sayın|sayarak' },
  {
    ...override,
    name: 'rules-put-out-of-sight',
    phrase: 'PRIOR 5 RULES 3 göz|dikkate ardı|ardi|alma|almayın',
  },
  // What was said comes before what to do with it.
  { ...override, name: 'what-was-said-ignore', phrase: 'WASSAID 5 ALL 4 IGNORE' },
  { ...override, name: 'all-that-was-said-ignore', phrase: 'PRIOR 6 WASSAID 6 IGNORE' },
  {
    ...override,
    name: 'forget-what-was-said',
    phrase: '忘记|忘掉|忽略|忽视|无视 2 之前|以前|先前|此前 4 告诉你|告訴你|对你说',
  },

  { ...override, name: 'forget-all-that-was-said', phrase: 'ลืม|เพิกเฉย 2 ทุกอย่าง|ทั้งหมด 8 บอก' },

  { ...extraction, name: 'show-prompt-of-system', phrase: 'DISPLAY 5 PROMPTED 3 SYSTEMS' },
  { ...extraction, name: 'show-system-prompt', phrase: 'DISPLAY 5 SYSTEMS 2 PROMPTED' },
  { ...extraction, name: 'system-prompt-shown', phrase: 'SYSTEMS 2 PROMPTED 5 DISPLAY' },
  {
    ...extraction,
    name: 'show-your-prompt',
    phrase: 'DISPLAY|visa 4 YOUR 2 PROMPTED|systemprompt*|systeemprompt*',
  },
  { ...extraction, name: 'show-rules-above', weight: 0.6, phrase: 'DISPLAY 6 RULES 3 PRIOR' },
  { ...extraction, name: 'show-above-rules', weight: 0.6, phrase: 'DISPLAY 6 PRIOR 3 RULES' },
  {
    ...extraction,
    name: 'say-again-rules-above',
    weight: 0.6,
    phrase: 'lặp lại 6 hướng|lệnh|quy 4 trên|trước',
  },
  { ...extraction, name: 'rules-above-shown', weight: 0.6, phrase: 'PRIOR 4 RULES 6 DISPLAY' },

  { ...persistence, name: 'henceforth-always', phrase: 'HENCEFORTH 9 ALWAYS' },
  {
    ...persistence,
    name: 'henceforth-thai',
    weight: 0.6,
    phrase: 'ตั้งแต่นี้|ต่อจากนี้|หลังจากนี้ 8 แนะนำ|ตอบ 30 เสมอ|ตลอด',
  },
  henceforth('italian', 'dora|ora in poi|avanti'),
  henceforth('dutch', 'vanaf nu|heden'),
  henceforth('polish', 'od teraz|dziś|dzisiaj'),
  henceforth('turkish', 'bundan sonra|böyle'),
  henceforth('arabic', 'من الآن|اليوم'),
  henceforth('hindi', 'अब|आज से'),
  henceforth('indonesian', 'mulai sekarang'),
  henceforth('tagalog', 'mula ngayon'),
  henceforth('vietnamese', 'từ|kể giờ|bây|nay|từ'),
  henceforth('greek', 'από τώρα|σήμερα'),
  henceforth('swedish', 'från|fra och|og med nu|nå'),
  // Alone this is what many a preference says.
  { ...persistence, name: 'always-advise', weight: 0.2, phrase: 'ALWAYS 8 ADVISING' },
  { ...persistence, name: 'advise-always', weight: 0.2, phrase: 'ADVISING 8 ALWAYS' },

  { ...jailbreak, name: 'helper-without-bounds', phrase: 'HELPER 5 LACKING 3 BOUNDS' },
  { ...jailbreak, name: 'without-bounds-helper', phrase: 'LACKING 3 BOUNDS 4 HELPER' },
  { ...jailbreak, name: 'bounds-lacking-helper', phrase: 'BOUNDS 3 LACKING 3 HELPER' },

  { ...concealment, name: 'not-a-word-to-user', phrase: 'NEGATION|jangan|đừng|อย่า|nem 4 TELLING 6 USER' },
  { ...concealment, name: 'tell-user-nothing', phrase: 'TELLING 3 USER 4 NEGATION|nichts|niets|inget' },
  { ...concealment, name: 'user-not-told', phrase: 'USER 8 TELLNOT' },
  { ...concealment, name: 'user-not-to-be-told', phrase: 'USER 8 मत|ना बताओ|बताएं|बताना|कहो|कहें' },

  { ...exfiltration, name: 'send-talk-away', phrase: 'SENDOFF 6 TALK' },
  { ...exfiltration, name: 'talk-sent-away', phrase: 'TALK 8 SENDOFF' },
];
