/** Notes as a memory keeps them, in other words and as questions: what the calibration of the local models was measured on. */

export const NOTES: readonly (readonly [note: string, inOtherWords: string, question: string])[] = [
  [
    'The user prefers short answers.',
    'Answers should be brief for this user.',
    'How long should answers be?',
  ],
  [
    'Our staging database runs on port 5433.',
    'The Postgres instance of staging listens on 5433.',
    'Which port does the staging database use?',
  ],
  [
    'Maria is allergic to peanuts.',
    'Maria cannot eat peanuts because of an allergy.',
    'What food must Maria avoid?',
  ],
  [
    'Always open pull requests against the develop branch.',
    'PRs have to target develop.',
    'Which branch do I open pull requests against?',
  ],
  [
    'The train to Lyon leaves at half past six.',
    'Departure to Lyon is at 6:30.',
    'When does the train to Lyon leave?',
  ],
  [
    'He moved from Berlin to Lisbon last spring.',
    'Since spring he lives in Lisbon, before that it was Berlin.',
    'Where does he live now?',
  ],
  [
    'The deployment failed because the disk was full.',
    'There was no disk space left, so the release did not go through.',
    'Why did the deployment fail?',
  ],
  [
    'My sister teaches mathematics at a primary school.',
    'My sister is a primary school math teacher.',
    'What does the sister do for a living?',
  ],
  [
    'Never commit directly to main.',
    'Direct pushes to the main branch are forbidden.',
    'May I push to main?',
  ],
  [
    'The cat is called Pixel and is four years old.',
    'Pixel, the four-year-old cat.',
    'What is the name of the cat?',
  ],
  [
    'We pay for the hosting once a year in March.',
    'The annual hosting invoice comes in March.',
    'When is hosting paid?',
  ],
  [
    'The tests take eleven minutes on the build server.',
    'CI needs about eleven minutes for the test suite.',
    'How long do the tests take?',
  ],
];
