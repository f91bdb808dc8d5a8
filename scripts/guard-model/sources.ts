/** The public repositories that the model is trained on: which commit, which files, and under which licence. */

export interface Source {
  readonly name: string;
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
  /** What is unpacked; only texts are read, and no code of a repository is ever run. */
  readonly paths: readonly string[];
}

/** None of these is a part of the collection that the guard is measured with. */
export const SOURCES = {
  cursorrules: {
    name: 'rules of projects for coding agents',
    repository: 'PatrickJS/awesome-cursorrules',
    commit: 'b044f956f021b6e8877f16781bcfc466a6a120e9',
    licence: 'CC0-1.0',
    paths: [':(glob)**/*.mdc'],
  },
  copilot: {
    name: 'instructions, prompts and agents for Copilot',
    repository: 'github/awesome-copilot',
    commit: 'ab7544d03d4c49fdd07f5958e1888ad39c4118e2',
    licence: 'MIT',
    paths: ['instructions', 'agents'],
  },
  clinc: {
    name: 'requests to a voice assistant',
    repository: 'clinc/oos-eval',
    commit: '828f8093932c8fe6ca7936c3d2e52903b1c523de',
    licence: 'CC-BY-3.0',
    paths: ['data/data_full.json'],
  },
  banking: {
    name: 'questions to a bank',
    repository: 'PolyAI-LDN/task-specific-datasets',
    commit: '57ec275d8078af65b7731c2a98be812d844a6d6b',
    licence: 'CC-BY-4.0',
    paths: ['banking_data/train.csv'],
  },
  voice: {
    name: 'sentences that people read aloud, in 20 languages',
    repository: 'common-voice/common-voice',
    commit: 'bc2cc85e101dc70332aa1e55e89f547ab6874b05',
    licence: 'CC0-1.0',
    paths: [
      ...[
        'ar',
        'cs',
        'de',
        'el',
        'en',
        'es',
        'fa',
        'hi',
        'id',
        'it',
        'ja',
        'ko',
        'nl',
        'pl',
        'pt',
        'sv-SE',
        'tl',
      ],
      ...['tr', 'uk', 'vi', 'zh-CN'],
    ].map((language) => `server/data/${language}/sentence-collector.txt`),
  },
  kubernetes: {
    name: 'technical documentation in 15 languages',
    repository: 'kubernetes/website',
    commit: '56464fe6c846523da555b49fbb012f0e270871ae',
    licence: 'CC-BY-4.0',
    paths: [
      'bn',
      'de',
      'en',
      'es',
      'fr',
      'hi',
      'id',
      'it',
      'ja',
      'ko',
      'pl',
      'pt-br',
      'ru',
      'uk',
      'vi',
      'zh-cn',
    ].map((language) => `:(glob)content/${language}/docs/{concepts,tasks}/**/*.md`),
  },
  home: {
    name: 'commands to a house, in 60 languages',
    repository: 'home-assistant/intents',
    commit: 'aa550032a57b67c13995c032220bc4101521ead2',
    licence: 'CC-BY-4.0',
    paths: ['tests'],
  },
  tasks: {
    name: 'tasks for instruction-following models',
    repository: 'yizhongw/self-instruct',
    commit: '0b26ccaa415992100fa32df62d41b994cf928e23',
    licence: 'Apache-2.0',
    paths: ['data/seed_tasks.jsonl', 'human_eval/user_oriented_instructions.jsonl'],
  },
  fabric: {
    name: 'system prompts of everyday tasks',
    repository: 'danielmiessler/fabric',
    commit: '272f04dd3278f99bee49e94a7747b54708745a5d',
    licence: 'MIT',
    paths: [':(glob)data/patterns/**/*system.md'],
  },
  promptsource: {
    name: 'prompts for data sets',
    repository: 'bigscience-workshop/promptsource',
    commit: '7dab96a3eeb3717cea633705135ebc488885d709',
    licence: 'Apache-2.0',
    paths: [':(glob)promptsource/templates/**/*templates.yaml'],
  },
  spikee: {
    name: 'seeds of injections: wrappers and orders',
    repository: 'ReversecLabs/spikee',
    commit: '454f7a0c21db2dd8779c23408f24700430c71d8b',
    licence: 'Apache-2.0',
    paths: ['spikee/data/workspace/datasets'],
  },
  giskard: {
    name: 'prompt injections; those that come from garak are left out',
    repository: 'Giskard-AI/prompt-injections',
    commit: 'ce50a549dadc46b48c931250d2dd71d5f003c0c2',
    licence: 'MIT',
    paths: ['prompt_injections.csv'],
  },
  deepset: {
    name: 'deepset/prompt-injections, English and German, labelled',
    repository: 'sinanw/llm-security-prompt-injection',
    commit: 'c8af0b015a9a4f3380f9e20214828c2dbeadc72c',
    licence: 'Apache-2.0 (the data), MIT (the repository that carries it)',
    paths: ['data/raw'],
  },
  lakera: {
    name: 'what players of Gandalf and Mosscap wrote to make a model reveal a password',
    repository: 'Parapet-Tech/parapet',
    commit: '17394b7ef07d93cd480f8a2b1609ba251f8c4629',
    licence: 'MIT (the data, by Lakera), Apache-2.0 (the repository that carries it)',
    paths: ['schema/eval/opensource_gandalf_attacks.yaml', 'schema/eval/opensource_mosscap_attacks.yaml'],
  },
  hinglish: {
    name: 'attacks and chat in Hinglish',
    repository: 'kyahikaru/hinglish-prompt-injection-detector',
    commit: 'fa3330987c943a37cade0151c38f0f12619ff527',
    licence: 'MIT',
    paths: ['data'],
  },
  authensor: {
    name: 'a benchmark of injections, poisoned memories and exfiltration',
    repository: 'AUTHENSOR/prompt-injection-benchmark',
    commit: 'd19ff3a1bdd0afb7ae6f07903e297153d2dcec90',
    licence: 'MIT',
    paths: ['prompt-injection', 'jailbreak', 'memory-poisoning', 'exfiltration'].map(
      (kind) => `benchmark/v1/${kind}`,
    ),
  },
  firewall: {
    name: 'injections and harmless requests of a firewall for prompts',
    repository: 'ogulcanaydogan/Prompt-Injection-Firewall',
    commit: 'd4a3041539ac6d1303ef05d98c59e596296aec1d',
    licence: 'Apache-2.0',
    paths: ['benchmarks/dataset'],
  },
  lessons: {
    name: 'a course about agents in 50 languages',
    repository: 'microsoft/ai-agents-for-beginners',
    commit: '15ad10ca60577b75199c1ba828887ab7e66bac87',
    licence: 'MIT',
    paths: [':(glob)translations/**/*README.md'],
  },
  prompting: {
    name: 'a guide to prompts, without its chapters about attacks',
    repository: 'dair-ai/Prompt-Engineering-Guide',
    commit: '3d96678f28793e6f23ac6c0127799489f2c9022b',
    licence: 'MIT',
    paths: [':(glob)pages/**/*.mdx'],
  },
  roles: {
    name: 'prompts that give a model a harmless role',
    repository: 'f/awesome-chatgpt-prompts',
    commit: 'aa0cc20aad30d36fe77cc8458005bae2f5819453',
    licence: 'CC0-1.0',
    paths: ['prompts.csv'],
  },
  chats: {
    name: 'what people ask an assistant',
    repository: 'anthropics/hh-rlhf',
    commit: '354e5c3cb8960630860dd5774a6ac2a58313bf4d',
    licence: 'MIT',
    paths: ['harmless-base/test.jsonl.gz'],
  },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof SOURCES;
