/** A generated ChatGPT export: hundreds of everyday chats, some of which hold what a person asks about years later. */
import { seededRandom } from '../../../src/testing/seeded-random.ts';

export interface Known {
  readonly title: string;
  readonly said: string;
  readonly answered: string;
  /** Asked in other words than it was said in. */
  readonly question: string;
  readonly answer: string;
}

const known = (title: string, said: string, answered: string, question: string, answer: string): Known => ({
  ...{ title, said, answered, question, answer },
});

export const KNOWN: readonly Known[] = [
  known(
    'Lisbon trip',
    'I booked the Memmo Alfama in Lisbon for the second week of May.',
    'A good choice: the terrace looks over the river.',
    'Which hotel did I book in Lisbon?',
    'Memmo Alfama',
  ),
  known(
    'Vet for the cat',
    'Our cat Mitzi limps. Dr. Okafor on Harbour Street is the vet that everybody recommends.',
    'Then call Dr. Okafor today; a limp should be seen within a day or two.',
    'Who is the vet of our cat?',
    'Okafor',
  ),
  known(
    'Sourdough',
    'My starter is fed with rye flour, 80 percent hydration, and it is called Bertha.',
    'Bertha will like a warm place.',
    'What hydration do I feed my sourdough starter with?',
    '80 percent',
  ),
  known(
    'Router settings',
    'The router in the office uses channel 44 because 36 had interference from the neighbours.',
    'Channel 44 is in the same band and avoids them.',
    'On which channel is the office router?',
    '44',
  ),
  known(
    'Marathon plan',
    'I want to run the marathon in Valencia in under 3:45.',
    'For 3:45 the pace is 5:20 per kilometre.',
    'What pace per kilometre did you calculate for my marathon?',
    '5:20',
  ),
  known(
    'Birthday of Ines',
    'My niece Ines turns nine in October and wants a telescope.',
    'A 70 mm refractor is easy for a child to use.',
    'What does my niece wish for her birthday?',
    'telescope',
  ),
  known(
    'Postgres upgrade',
    'We upgrade the billing database from Postgres 13 to 16 on 14 September.',
    'Run pg_upgrade with --link on a copy first.',
    'When do we upgrade the billing database?',
    '14 September',
  ),
  known(
    'Allergy',
    'The doctor says that my son reacts to cashews and pistachios, but not to peanuts.',
    'Ask for an emergency plan for the school in writing.',
    'Which nuts does my son react to?',
    'cashews',
  ),
  known(
    'Guitar strings',
    'I use 11-49 strings on the Telecaster, tuned down by half a step.',
    'With that tuning 11-49 keeps the tension of a normal 10-46 set.',
    'What gauge of strings is on my Telecaster?',
    '11-49',
  ),
  known(
    'Thesis title',
    'The title of my thesis is now "Tidal energy in shallow estuaries".',
    'Short and precise. The subtitle can carry the method.',
    'What is the title of my thesis?',
    'Tidal energy',
  ),
  known(
    'Car noise',
    'The mechanic found that the Skoda squeaks because of the left control arm; it costs 340 euros.',
    'That is a fair price with the alignment included.',
    'How much did the mechanic want for the control arm of the Skoda?',
    '340',
  ),
  known(
    'Wine for dinner',
    'For the dinner with the Larssons I bought six bottles of Blaufränkisch.',
    'Serve it slightly cool with the duck.',
    'Which wine did I buy for the dinner with the Larssons?',
    'Blaufränkisch',
  ),
  known(
    'Garden shed',
    'The shed will be 3.2 by 2.4 metres with a larch floor.',
    'Larch lasts outdoors without treatment.',
    'How large is the garden shed going to be?',
    '3.2 by 2.4',
  ),
  known(
    'Interview at Northwind',
    'My interview at Northwind is with Priya Raman, the head of platform.',
    'Prepare a story about an outage that you led.',
    'With whom do I have the interview at Northwind?',
    'Priya Raman',
  ),
  known(
    'Kubernetes limits',
    'The image service is killed because its memory limit is 512Mi; we raised it to 900Mi.',
    'Watch the working set for a week before you lower it again.',
    'To what did we raise the memory limit of the image service?',
    '900Mi',
  ),
  known(
    'Book club',
    'The book club reads "The Leopard" by Lampedusa in March.',
    'Its first chapter sets the tone with the rosary.',
    'Which book does the book club read in March?',
    'Leopard',
  ),
  known(
    'Insurance number',
    'The claim for the flooded cellar has the number KX-20931.',
    'Keep it with the photographs of the damage.',
    'What is the claim number of the flooded cellar?',
    'KX-20931',
  ),
  known(
    'Piano teacher',
    'We found a piano teacher for Theo: Mrs. Adeyemi, Thursdays at five.',
    'Thursdays leave the weekend free for practice.',
    'When does Theo have piano lessons?',
    'Thursdays',
  ),
  known(
    'Paint for the kitchen',
    'The kitchen walls get Farrow green, the number on the tin is 287.',
    'Two coats are enough on a grey primer.',
    'What is the number of the green paint for the kitchen walls?',
    '287',
  ),
  known(
    'Sister moves',
    'My sister Carla moves to Gdansk in January and works for the shipyard there.',
    'Gdansk is cold in January; think of the registration within thirty days.',
    'Where does my sister Carla move?',
    'Gdansk',
  ),
];

const THINGS =
  'hotel,vet,router,database,thesis,kitchen,garden,dinner,book,piano,car,insurance,guitar,memory limit'
    .split(',')
    .concat(
      'interview',
      'birthday',
      'wine',
      'marathon',
      'starter',
      'sister',
      'claim',
      'paint',
      'strings',
      'channel',
    );
const PLACES = 'Oslo,Porto,Vienna,Turin,Ghent,Leeds,Brno,Cork,Malmo,Graz'.split(',');
const ASKED = [
  (thing: string, place: string) => `What should I think of when it comes to the ${thing} in ${place}?`,
  (thing: string, place: string) => `Can you compare three ways to plan a ${thing} for someone in ${place}?`,
  (thing: string) => `Explain to me how people usually decide about a ${thing}, in simple words.`,
  (thing: string, place: string) =>
    `Write a friendly message to ${place} that moves the ${thing} to next week.`,
];
const ANSWERED = [
  (thing: string) =>
    `Start with what you need, then look at the price. A ${thing} is easier to choose with a list.`,
  (thing: string, place: string) =>
    `In ${place} the usual way is to ask two people who know the ${thing} well.`,
  (thing: string) =>
    `Here is a draft. It names the ${thing}, the reason and a new date, and it stays polite.`,
];

interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** In the shape of conversations.json: a tree of messages per chat. */
function chat(number: number, title: string, at: number, turns: readonly Said[]) {
  const id = (place: number): string => `chat-${number}-${place}`;
  const nodes = turns.map(({ role, text }, place) => ({
    id: id(place),
    parent: place === 0 ? null : id(place - 1),
    children: place === turns.length - 1 ? [] : [id(place + 1)],
    message: {
      id: id(place),
      author: { role },
      create_time: at + place * 20,
      content: { content_type: 'text', parts: [text] },
    },
  }));
  return {
    ...{ title, create_time: at, conversation_id: `chat-${number}`, current_node: id(turns.length - 1) },
    mapping: Object.fromEntries(nodes.map((node) => [node.id, node])),
  };
}

/** Every chat is long enough that 400 of them would flood a prompt; those that matter are spread among them. */
export function chatExport(chats: number, seed = 7) {
  const random = seededRandom(seed);
  const any = <T>(list: readonly T[]): T => random.pick(list);
  const small = (): Said[] => {
    const [thing, place] = [any(THINGS), any(PLACES)];
    const answer = Array.from({ length: 4 }, () => any(ANSWERED)(thing, place)).join(' ');
    return [
      { role: 'user', text: any(ASKED)(thing, place) },
      { role: 'assistant', text: answer },
    ];
  };
  const step = Math.floor(chats / KNOWN.length);
  return Array.from({ length: chats }, (_, i) => {
    const at = 1_600_000_000 + i * 200_000;
    const fact = i % step === 0 ? KNOWN[i / step] : undefined;
    const before = Array.from({ length: 1 + random.below(3) }, small).flat();
    if (fact === undefined) return chat(i, `About the ${any(THINGS)}`, at, before);
    const { title, said, answered } = fact;
    const turns: Said[] = [
      { role: 'user', text: said },
      { role: 'assistant', text: answered },
    ];
    return chat(i, title, at, [...before, ...turns, ...small()]);
  });
}
