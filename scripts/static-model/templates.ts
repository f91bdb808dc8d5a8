/** Everyday statements and the questions that they answer, written for Keepsake; slots are filled at random. */
import type { Field, WordNet } from './wordnet.ts';

/** Each group is about one thing: statements first, questions about it second. */
const GROUPS: readonly (readonly [statements: readonly string[], questions: readonly string[]])[] = [
  [
    [
      'I adopted a {animal} {when} and called it {name}.',
      'My {animal} {name} was ill {when}, so we went to the vet.',
      '{name} has two {animal}s at home.',
      'We saw a {animal} on our walk {when}.',
    ],
    [
      'What is the name of my {animal}?',
      'Which pets does {name} have?',
      'When did we see the {animal}?',
      'Who took care of the {animal}?',
    ],
  ],
  [
    [
      'I am allergic to {food}.',
      "I can't stand {food}, but I love {food}.",
      '{name} cooked {food} with {food} for dinner {when}.',
      'My {kin} taught me how to make {food}.',
      'We ordered {food} at the new restaurant and it was {quality}.',
    ],
    [
      'What food should I avoid?',
      'What did {name} cook for dinner?',
      'Which dish do I like best?',
      'Does {name} like {food}?',
      'Who taught me to make {food}?',
    ],
  ],
  [
    [
      'I work as a {person} in {city}.',
      '{name} started a new job as a {person} {when}.',
      'My {kin} is a {person} and really enjoys it.',
      "I'm thinking of becoming a {person} because I like {activity}.",
    ],
    [
      'What does {name} do for a living?',
      "What is my {kin}'s job?",
      'Where do I work?',
      'When did {name} start the new job?',
      'What career would suit me?',
    ],
  ],
  [
    [
      'We moved to {city} {when}.',
      '{name} grew up in {city} and misses it a lot.',
      'I live in a small flat near the {place} in {city}.',
      'My {kin} is flying to {city} {when}.',
    ],
    [
      'Where do I live?',
      'Where is {name} from originally?',
      'When did we move?',
      'Which cities has {name} lived in?',
      'Where is my {kin} travelling?',
    ],
  ],
  [
    [
      '{name} has taken up {activity} and goes every week.',
      'I have been doing {activity} for {number} years.',
      'My favourite way to relax is {activity}.',
      'After work I usually spend an hour on {activity}, it helps me clear my head.',
    ],
    [
      "What are {name}'s hobbies?",
      'How does {name} relax?',
      'How long have I been doing {activity}?',
      'What activities do we both enjoy?',
    ],
  ],
  [
    [
      'I bought a {thing} {when} for {number} dollars.',
      'The {thing} broke again, I need to have it repaired.',
      '{name} gave me a {thing} for my birthday.',
      'I left my {thing} at the {place}.',
      'We need a new {thing} for the house.',
    ],
    [
      'What did I buy?',
      'How much did the {thing} cost?',
      'Who gave me the {thing}?',
      'Where did I leave my {thing}?',
      'What needs to be repaired?',
    ],
  ],
  [
    [
      '{name} was feeling {mood} after the {event}.',
      'I felt {mood} when I heard about the {event}.',
      'Thank you for listening, I was really {mood} {when}.',
      "You've been so supportive, {name}, it means a lot to me!",
    ],
    [
      'How did {name} feel about the {event}?',
      'Why was {name} {mood}?',
      'What made me {mood}?',
      'Who supported {name}?',
    ],
  ],
  [
    [
      'My doctor told me I have {condition}.',
      '{name} hurt her {body} {when} and cannot walk far.',
      'I take {substance} every morning for my {body}.',
      'My {kin} is recovering from {condition}.',
    ],
    [
      'What health problems does {name} have?',
      'What medicine do I take?',
      'What happened to her {body}?',
      'How is my {kin} doing?',
    ],
  ],
  [
    [
      'The {event} takes place {when} at the {place}.',
      "{name} can't come to the {event} {when}.",
      'Remind me to call {name} about the {event}.',
      'We are planning a {event} for my {kin}.',
      'The meeting with {name} was moved to {when}.',
    ],
    [
      'When is the {event}?',
      'Who is coming to the {event}?',
      'Where does the {event} take place?',
      'What do I have to tell {name}?',
      'When was the meeting moved to?',
    ],
  ],
  [
    [
      '{name} is reading a book about {idea} and {person}s.',
      'I watched a {quality} film about a {person} {when}.',
      'My {kin} listens to {music} all day.',
      'I am learning to play the {music}.',
    ],
    [
      'What is {name} reading?',
      'Which film did I watch?',
      'What music does my {kin} like?',
      'Which instrument am I learning?',
    ],
  ],
  [
    [
      'The {group} decided to use {tech} for the {thing} project.',
      'Never deploy {tech} on a Friday without asking {name}.',
      'The {tech} server runs out of memory when the {message} is large.',
      'Please write the {message} in short sentences.',
      'We fixed the bug in the {tech} login by renewing the token.',
      'The build failed because a {tech} dependency was missing.',
    ],
    [
      'Which database do we use?',
      'Why did the build fail?',
      'How was the login bug fixed?',
      'When may we deploy?',
      'How should I write the {message}?',
      'What went wrong with {tech}?',
    ],
  ],
  [
    [
      'I planted {plant} and {plant} in the garden {when}.',
      'The {plant} in the kitchen needs water twice a week.',
      '{name} sent me a photo of a {plant} by the {place}.',
    ],
    [
      'What grows in the garden?',
      'How often does the {plant} need water?',
      'What was in the photo that {name} sent?',
    ],
  ],
  [
    [
      '{name} and I have been married for {number} years.',
      'My {kin} has {number} children, the youngest is called {name}.',
      '{name} is my {kin}.',
      'I met {name} at the {event} {when}.',
      '{name} broke up with her boyfriend {when}.',
    ],
    [
      'Who is {name}?',
      'How many children does my {kin} have?',
      'How did {name} and I meet?',
      'Is {name} single?',
      'How long have they been married?',
    ],
  ],
  [
    [
      'I am saving {possession} for a trip to {city}.',
      'The rent went up by {number} percent {when}.',
      '{name} lent me {number} dollars.',
      'We spent too much on {thing}s and {food} this month.',
    ],
    [
      'What am I saving for?',
      'How much do I owe {name}?',
      'What did we spend our money on?',
      'How much is the rent?',
    ],
  ],
  [
    [
      'I prefer {quality} {thing}s to {quality} ones.',
      'Always answer me in {language}.',
      'I like my {food} without {food}.',
      '{name} hates it when people are {mood}.',
      'I would rather have the {thing} in {colour}.',
    ],
    [
      'What do I prefer?',
      'Which language should I be answered in?',
      'What does {name} hate?',
      'What is my favourite colour?',
    ],
  ],
];

const WORDS = {
  name: 'Anna Ben Clara David Emma Felix Grace Hannah Ivan Julia Kevin Laura Martin Nina Oliver Paula Quentin Rosa Simon Tina Umar Vera Walter Yusuf Zoe Alice Boris Carmen Diego Eva Fatima George Helen Ian Jane Karl Leila Mark Nora Oscar Peter Rachel Steven Teresa Victor Wendy',
  kin: 'mother father sister brother aunt uncle grandmother grandfather cousin wife husband son daughter neighbour boss roommate teacher colleague',
  when: 'yesterday|today|tomorrow|last week|last summer|two weeks ago|in May|in October|on Monday|on Saturday|next month|next Friday|in 2021|on 3 March 2023|this morning|at the weekend|three years ago|at noon|on 14 July',
  city: 'London Paris Berlin Madrid Rome Vienna Tokyo Sydney Toronto Chicago Boston Seattle Dublin Oslo Cairo Lima Mumbai Nairobi Lisbon Prague Denver Atlanta Warsaw Seoul Havana',
  number: 'two three four five six seven ten twelve twenty thirty 50 80 150 1200',
  quality:
    'good great terrible cheap expensive old modern beautiful boring funny light heavy quiet bright simple spicy excellent',
  mood: 'happy sad nervous proud angry excited lonely relieved tired worried grateful disappointed jealous calm scared inspired',
  music: 'guitar|piano|violin|drums|cello|flute|jazz|rock music|classical music|the radio|hip hop|folk songs',
  tech: 'Postgres Redis Kubernetes Docker Python TypeScript React Linux nginx GraphQL SQLite Kafka Terraform Git Java Rust webpack OAuth Jenkins AWS',
  language: 'English German Spanish French Italian Polish Japanese Chinese Arabic Portuguese Dutch Turkish',
  colour: 'red blue green black white yellow purple orange grey brown pink',
} as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(WORDS).map(([slot, words]) => [slot, words.split(words.includes('|') ? '|' : ' ')]),
);

export type Random = () => number;

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

function fill(template: string, nouns: WordNet['nouns'], random: Random): string {
  const text = template.replaceAll(/\{(\w+)\}/g, (_, slot: string) =>
    pick(CHOICES[slot] ?? nouns[slot as Field], random),
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A statement, a question, or two or three sentences in a row, as people write to an assistant. */
export function everydayText(nouns: WordNet['nouns'], random: Random): string {
  const [statements, questions] = pick(GROUPS, random);
  const say = (): string => fill(pick(statements, random), nouns, random);
  const dice = random();
  if (dice < 0.4) return say();
  if (dice < 0.7) return fill(pick(questions, random), nouns, random);
  if (dice < 0.85) return `${say()} ${say()}`;
  if (dice < 0.92) return `${say()} ${fill(pick(questions, random), nouns, random)}`;
  const [others] = pick(GROUPS, random);
  return `${say()} ${fill(pick(others, random), nouns, random)} ${say()}`;
}
