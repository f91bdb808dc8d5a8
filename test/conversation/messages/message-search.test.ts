/** Search through messages in any script, with places that can be shown. */
import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../../src/conversation/messages/message.ts';
import {
  MAX_HITS,
  searchKeyword,
  searchMessages,
} from '../../../src/conversation/messages/message-search.ts';

const messagesOf = (...contents: MessageContent[]) =>
  contents.map((content, index) => ({
    id: `m${index}`,
    role: 'User',
    content,
    at: 0,
    run: null,
    metadata: {},
  }));
/** The texts of the hits in the first message, or undefined when it was not found. */
function hitsIn(text: string, matches: ReturnType<typeof searchKeyword>): string[] | undefined {
  return matches[0]?.hits.map(({ start, end }) => text.slice(start, end));
}

describe('A-62: searchKeyword', () => {
  it.each([
    ['the Latency is high', 'latency', ['Latency']],
    ['die Straße', 'STRASSE', ['Straße']],
    ['DIE STRASSE', 'straße', ['STRASSE']],
    ['STRAẞE', 'straße', ['STRAẞE']],
    ['İstanbul, ISTANBUL, ıstanbul', 'istanbul', ['İstanbul', 'ISTANBUL', 'ıstanbul']],
    ['istanbul', 'İSTANBUL', ['istanbul']],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.normalize('NFD').replace(/\u0301/g, ''), ['ΟΔΥΣΣΕΥΣ']],
    ['東京タワーへ行く', 'タワー', ['タワー']],
    ['ｆｕｌｌ width', 'FULL', ['ｆｕｌｌ']],
    ['cafe\u0301 Cafe\u0301', 'CAFÉ', ['cafe\u0301', 'Cafe\u0301']],
    ['한국어'.normalize('NFD'), '한국어', ['한국어'.normalize('NFD')]],
    ['ﬁle', 'FI', ['ﬁ']],
    ['soft\u00adware', 'software', ['soft\u00adware']],
    ['two\nwords', 'two words', ['two\nwords']],
    ['a😀B', '😀b', ['😀B']],
    ['C++ and c++', 'C++', ['C++', 'c++']],
  ])('%j contains %j', (text, keyword, expected) => {
    expect(hitsIn(text, searchKeyword(messagesOf(text), keyword))).toEqual(expected);
  });

  it.each([
    ['resume', 'résumé'],
    ['résumé', 'resume'],
    ['か', 'が'],
    ['कि', 'का'],
    ['각', '가'],
    ['anything', ''],
    ['anything', '\u200b'],
  ])('%j does not contain %j', (text, keyword) => {
    expect(searchKeyword(messagesOf(text), keyword)).toEqual([]);
  });

  it('tells which message, and searches structured parts as they read', () => {
    const messages = messagesOf(
      'nothing',
      [{ type: 'tool-call', toolCallId: 'c', toolName: 'BigQuery', input: {} }],
      'x',
    );
    const matches = searchKeyword(messages, 'bigquery');
    expect(matches).toMatchObject([{ index: 1, message: { id: 'm1' } }]);
  });

  it('reports a bounded number of hits', () => {
    expect(searchKeyword(messagesOf('a'.repeat(100_000)), 'A')[0]?.hits).toHaveLength(MAX_HITS);
  });
});

describe('A-61: searchMessages', () => {
  it('needs all words, in any order, without regard to case and accents', () => {
    const messages = messagesOf('Use GCP for latency', 'GCP only', 'Résumé für CAFÉ');
    expect(searchMessages(messages, 'LATENCY gcp').map(({ index }) => index)).toEqual([0]);
    expect(searchMessages(messages, 'GCP').map(({ index }) => index)).toEqual([0, 1]);
    expect(searchMessages(messages, '  cafe\u00a0RESUME\n').map(({ index }) => index)).toEqual([2]);
    expect(searchMessages(messages, 'gcp azure')).toEqual([]);
    expect(searchMessages(messages, ' \n ')).toEqual([]);
  });

  it.each([
    ['שָׁלוֹם עולם', 'שלום', ['שָׁלוֹם']],
    ['كِتَاب', 'كتاب', ['كِتَاب']],
    ['Ёлка и йод', 'елка иод', ['Ёлка', 'йод']],
    ['我喜欢北京', '北京', ['北京']],
    ['Việt Nam', 'viet', ['Việt']],
  ])('%j matches %j', (text, query, expected) => {
    expect(hitsIn(text, searchMessages(messagesOf(text), query))).toEqual(expected);
  });

  it('keeps letters apart that are no accents', () => {
    expect(searchMessages(messagesOf('か'), 'が')).toEqual([]);
    expect(searchMessages(messagesOf('कि'), 'का')).toEqual([]);
  });
});

describe('excerpts', () => {
  it('never split a surrogate pair, wherever they are cut', () => {
    for (let shift = 0; shift < 4; shift++) {
      const text = `${'😀'.repeat(100)}${'x'.repeat(shift)}needle${'y'.repeat(shift)}${'😀'.repeat(100)}`;
      const [match] = searchKeyword(messagesOf(text), 'NEEDLE');
      expect(match!.excerpt.text.isWellFormed()).toBe(true);
      expect(match!.excerpt.text).toContain('needle');
      expect(match!.excerpt.text.length).toBeLessThan(200);
      expect(text.slice(match!.excerpt.start, match!.excerpt.end)).toBe(match!.excerpt.text);
    }
  });
});
