/** What may change about a log after all: edits, deletions, and the notes that files are kept in step with. */
import { messageDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const editing: Themes<StoreOf<'log'>>[string] = {
  'changes the content and finds the new words only': async ({ store: { log }, expect }) => {
    const [message] = await log.append([messageDraft({ content: 'wombat', text: 'wombat' })]);
    await log.edit([{ id: message!.id, at: START + 1, content: 'numbat', text: 'numbat' }]);
    const edited = { ...message, content: 'numbat', editedAt: START + 1 };
    expect(await log.get(message!.id)).toEqual(edited);
    expect(await log.search({ terms: ['numbat'], limit: 10 })).toEqual([edited]);
    expect(await log.search({ terms: ['wombat'], limit: 10 })).toEqual([]);
  },

  'leaves one thread out of a search when asked': async ({ store: { log }, expect }) => {
    const of = (thread: string) => messageDraft({ thread, content: 'wombat', text: 'wombat' });
    const [, other] = await log.append([of('active'), of('earlier')]);
    expect(await log.search({ terms: ['wombat'], except: 'active', limit: 10 })).toEqual([other]);
  },

  'deletes the content and keeps the place': async ({ store: { log }, expect }) => {
    const draft = messageDraft({ content: 'wombat', text: 'wombat', metadata: { secret: true } });
    const [first, second] = await log.append([draft, messageDraft()]);
    await log.edit([{ id: draft.id, at: START + 2, content: null, text: '' }]);
    expect(await log.read({ limit: 10 })).toEqual([second]);
    expect(await log.count({})).toBe(1);
    expect(await log.search({ terms: ['wombat'], limit: 10 })).toEqual([]);
    const gone = { ...first, content: null, metadata: {}, deletedAt: START + 2 };
    expect(await log.read({ limit: 10, includeDeleted: true })).toEqual([gone, second]);
  },

  'changes all or nothing': async ({ store: { log }, expect }) => {
    const [message] = await log.append([messageDraft()]);
    const edit = { at: START, content: 'changed', text: 'changed' };
    const edits = log.edit([
      { ...edit, id: message!.id },
      { ...edit, id: 'msg_none' },
    ]);
    expect((await failure(edits)).code).toBe('NOT_FOUND');
    expect(await log.get(message!.id)).toEqual(message);
  },
};

const notes: Themes<StoreOf<'log'>>[string] = {
  'move together with messages': async ({ store, again, expect }) => {
    const other = await again();
    const { log } = store;
    expect([await log.boundary('a', 't'), await log.journal('k')]).toEqual([0, null]);
    const entry = { step: 1, nested: [null, 'text'] };
    await log.append([], {
      journal: { key: 'k', entry },
      boundary: { agent: 'a', thread: 't', seq: 7 },
    });
    expect([await other.log.boundary('a', 't'), await other.log.journal('k')]).toEqual([7, entry]);
    expect(await log.boundary('a', 'other')).toBe(0);
    await log.append([messageDraft()], { journal: { key: 'k', entry: null } });
    expect(await other.log.journal('k')).toBe(null);
    expect(await other.log.count({})).toBe(1);
  },

  'retract takes messages back as if they had never been': async ({ store: { log }, expect }) => {
    const drafts = [messageDraft({ text: 'wombat' }), messageDraft({ text: 'numbat' })];
    const [kept] = await log.append(drafts, { journal: { key: 'k', entry: { begun: true } } });
    await log.retract([drafts[1]!.id, 'msg_none'], { journal: { key: 'k', entry: null } });
    expect(await log.read({ limit: 10, includeDeleted: true })).toEqual([kept]);
    expect(await log.search({ terms: ['numbat'], limit: 10 })).toEqual([]);
    expect(await log.journal('k')).toBe(null);
    const [late] = await log.append([drafts[1]!]);
    expect(late!.seq).toBeGreaterThan(kept!.seq);
    expect((await log.search({ terms: ['numbat'], limit: 10 })).length).toBe(1);
  },
};

export const logChanges: Themes<StoreOf<'log'>> = { editing, notes };
