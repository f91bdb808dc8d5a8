/** Who may see and who may change: the whole table. */
import { describe, expect, it } from 'vitest';
import { isVisible, mayAdd, mayChange, maySee, type Viewer, visibleTo } from '../../src/kernel/scope.ts';

const PRIVATE = { agent: 'alice', user: null, scope: 'agent' } as const;
const SHARED = { agent: 'alice', user: null, scope: 'swarm' } as const;
const RESULT = { ...SHARED, source: 'swarm_result' } as const;

const table: [Viewer, string][] = [
  [{ agent: 'alice', role: 'worker' }, 'see change see change'],
  [{ agent: 'alice', role: 'lead' }, 'see change see change'],
  [{ agent: 'alice', role: 'reader' }, 'see - see -'],
  [{ agent: 'bob', role: 'worker' }, '- - see -'],
  [{ agent: 'bob', role: 'lead' }, '- - see change'],
  [{ agent: 'bob', role: 'reader' }, '- - see -'],
  [{ agent: 'bob', role: 'admin' }, 'see change see change'],
  [{ role: 'admin' }, 'see change see change'],
  [{ role: 'lead' }, '- - see change'],
  [{ role: 'worker' }, '- - see -'],
  [{ role: 'reader' }, '- - see -'],
];

describe('rights on a private and on a shared record of alice', () => {
  it.each(table)('%o: %s', (viewer, expected) => {
    const rights = [PRIVATE, SHARED].flatMap((record) => [
      maySee(viewer, record) ? 'see' : '-',
      mayChange(viewer, record) ? 'change' : '-',
    ]);
    expect(rights.join(' ')).toBe(expected);
  });

  it('C-17 only the owner of the workspace may add, change or erase the result of a swarm', () => {
    const roles = (may: (viewer: Viewer) => boolean) =>
      new Set(table.filter(([viewer]) => may(viewer)).map(([{ role }]) => role));
    expect(roles((viewer) => mayChange(viewer, RESULT))).toEqual(new Set(['admin']));
    expect(roles((viewer) => mayAdd(viewer, RESULT.source))).toEqual(new Set(['admin']));
    expect(roles((viewer) => mayAdd(viewer, 'manual'))).toEqual(new Set(['admin', 'lead', 'worker']));
  });

  it('nobody may change what he may not see', () => {
    for (const [viewer] of table) {
      for (const record of [PRIVATE, SHARED, RESULT, { ...RESULT, scope: 'agent' as const }]) {
        expect(mayChange(viewer, record) && !maySee(viewer, record)).toBe(false);
      }
    }
  });
});

describe('rights on what alice knows about dana, and on what every agent may know about her', () => {
  const WITH = { agent: 'alice', user: 'dana', scope: 'agent' } as const;
  const EVERYWHERE = { agent: 'alice', user: 'dana', scope: 'swarm' } as const;
  const cases: [Viewer, string][] = [
    [{ agent: 'alice', user: 'dana', role: 'worker' }, 'see change see change see -'],
    [{ agent: 'alice', user: 'dana', role: 'reader' }, 'see - see - see -'],
    [{ agent: 'bob', user: 'dana', role: 'worker' }, '- - see change - -'],
    [{ user: 'dana', role: 'worker' }, 'see change see change - -'],
    [{ agent: 'alice', user: 'Dana', role: 'worker' }, '- - - - see -'],
    [{ agent: 'alice', user: 'Dana', role: 'lead' }, '- - - - see -'],
    [{ agent: 'alice', role: 'worker' }, '- - - - see change'],
    [{ agent: 'alice', role: 'lead' }, '- - - - see change'],
    [{ role: 'lead' }, '- - - - - -'],
    [{ role: 'admin' }, 'see change see change see change'],
  ];

  it.each(cases)('%o: %s', (viewer, expected) => {
    const rights = [WITH, EVERYWHERE, PRIVATE].flatMap((record) => [
      maySee(viewer, record) ? 'see' : '-',
      mayChange(viewer, record) ? 'change' : '-',
    ]);
    expect(rights.join(' ')).toBe(expected);
  });
});

describe('what a viewer may see, as data', () => {
  it('are alternatives of conditions on the fields of a record', () => {
    const shared = { field: 'scope', is: 'swarm' };
    const general = { field: 'user', is: null };
    expect(visibleTo({ agent: 'alice', role: 'worker' })).toEqual([
      [{ field: 'agent', is: 'alice' }, general],
      [shared, general],
    ]);
    expect(visibleTo({ role: 'lead' })).toEqual([[shared, general]]);
    const dana = { field: 'user', is: 'dana' };
    expect(visibleTo({ agent: 'alice', user: 'dana', role: 'worker' })).toEqual([
      [{ field: 'agent', is: 'alice' }, general],
      [{ field: 'agent', is: 'alice' }, dana],
      [shared, dana],
      [shared, general],
    ]);
    expect(visibleTo({ user: 'dana', role: 'worker' })).toEqual([[dana], [shared, general]]);
    expect(visibleTo({ agent: 'alice', role: 'admin' })).toEqual([[]]);
  });

  it('has an alternative without conditions, which is everything, for the owner of the workspace only', () => {
    for (const [viewer] of table) {
      const isEverything = visibleTo(viewer).some((conditions) => conditions.length === 0);
      expect(isEverything).toBe(viewer.role === 'admin');
    }
  });

  it('is nothing without an alternative, and needs all conditions of one', () => {
    expect(isVisible([], SHARED)).toBe(false);
    const both = [
      { field: 'agent', is: 'alice' },
      { field: 'scope', is: 'swarm' },
    ] as const;
    expect([PRIVATE, SHARED, { ...SHARED, agent: 'bob' }].map((record) => isVisible([both], record))).toEqual(
      [false, true, false],
    );
  });
});
