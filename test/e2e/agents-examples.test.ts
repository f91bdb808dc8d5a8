/** The three example agents from end to end: real processes, one after the other, and a scripted model. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ScriptedReply, ScriptedRequest } from '../../src/testing/index.ts';
import { agentsWorkspace, lastResult, systemOf } from './support/agents-workspace.ts';

const call = (name: string, args: object): ScriptedReply => ({ toolCalls: [{ name, arguments: args }] });

/** Tools that were called since the last user message. */
function called({ messages }: ScriptedRequest): string[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  return since.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === 'toolCall' ? [part.name] : [])),
  );
}

describe('D-28 the personal assistant', () => {
  /** Behaves as its prompt asks: notes what it hears, and reads its notes when there are any. */
  function assistant(request: ScriptedRequest): ScriptedReply {
    const { prompt } = request;
    const done = called(request);
    if (prompt.includes('engineer') && !done.includes('memory_save')) {
      return call('memory_save', {
        section: 'user_profile',
        content: 'Data engineer at Acme Corp. Python, Spark.',
      });
    }
    if (prompt.includes('Phoenix') && !done.includes('memory_save')) {
      return call('memory_save', {
        section: 'projects',
        content: 'Phoenix: ETL pipeline, due end of April.',
      });
    }
    if (prompt.startsWith('Hey') && !done.includes('memory_retrieve')) {
      const sections = /Available sections:\n((?:- .+\n?)+)/.exec(systemOf(request))?.[1] ?? '';
      return sections.includes('- projects')
        ? call('memory_retrieve', { section: 'projects' })
        : 'Hello, who are you?';
    }
    const known = lastResult(request);
    return done.includes('memory_retrieve') ? `Welcome back! I remember: ${known}` : 'Noted.';
  }

  it('knows in the second process what it was told in the first', async () => {
    const { keepsake, talk, read, model } = await agentsWorkspace(assistant, 'assistant');
    expect((await keepsake('validate')).code).toBe(0);
    expect(await talk('assistant', 'Hey')).toMatchObject({ code: 0, stdout: 'Hello, who are you?\n' });
    const first = await talk(
      'assistant',
      "I'm a data engineer at Acme Corp. I work mostly with Python and Spark.",
      'We are building an ETL pipeline called Phoenix, due end of April.',
      '/exit',
    );
    expect(first).toMatchObject({ code: 0, stdout: 'Noted.\nNoted.\n' });
    expect(first.stderr).toContain('→ memory_save section="user_profile"');
    expect(read('agents/assistant.memory.md')).toBe(
      '# user_profile\nData engineer at Acme Corp. Python, Spark.\n\n# projects\nPhoenix: ETL pipeline, due end of April.\n',
    );

    const second = await talk('assistant', "Hey, how's it going?");
    expect(second.stdout).toBe('Welcome back! I remember: Phoenix: ETL pipeline, due end of April.\n');
    const system = systemOf(model.requests.at(-1)!);
    expect(system).toContain('## Long-term Memory');
    expect(system).toContain('Available sections:\n- user_profile\n- projects');
    // D-23 D-24: names only.
    expect(system).not.toContain('due end of April');
  });
});

describe('D-29 the news curator', () => {
  function curator(url: string) {
    return (request: ScriptedRequest): ScriptedReply => {
      const done = called(request);
      if (!done.includes('memory_retrieve')) return call('memory_retrieve', { section: 'interests' });
      if (done.length === 1 && lastResult(request).includes('There is no section')) {
        return call('memory_save', { section: 'interests', content: 'technology' });
      }
      if (!done.includes('http_request')) return call('http_request', { url });
      if (!done.includes('file_write')) {
        const { body } = JSON.parse(lastResult(request)) as { body: string };
        return call('file_write', { path: 'output/news.md', content: `# News\n\n- ${body}\n` });
      }
      if (!done.includes('memory_append')) {
        return call('memory_append', { section: 'curation_log', content: '- saw 1, chose 1' });
      }
      return 'One item today.';
    };
  }

  it('begins with defaults, keeps a log over its runs, and remembers interests', async () => {
    const news = createServer((_, response) => response.end('SQLite turns another year older'));
    await new Promise<void>((listening) => news.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void news.close());
    const host = `127.0.0.1:${(news.address() as AddressInfo).port}`;
    const { keepsake, read, write, model } = await agentsWorkspace(
      curator(`http://${host}/news`),
      'news-curator',
    );
    const file = 'agents/news-curator.md';
    write(file, read(file).replace('history: low', `history: low\nallowHosts: ['${host}']`));

    const first = await keepsake('start', '--once');
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('news-curator ✓');
    expect(read('agents/news-curator.memory.md')).toBe(
      '# interests\ntechnology\n\n# curation_log\n- saw 1, chose 1\n',
    );
    expect(read('output/news.md')).toContain('SQLite turns another year older');

    // It is not due for six hours.
    const again = await keepsake('start', '--once');
    expect(again.stdout).not.toContain('started');
    const asked = model.requests.length;

    expect(await keepsake('run', 'news-curator')).toMatchObject({ code: 0, stdout: 'One item today.\n' });
    expect(read('agents/news-curator.memory.md')).toBe(
      '# interests\ntechnology\n\n# curation_log\n- saw 1, chose 1\n- saw 1, chose 1\n',
    );
    const second = model.requests.slice(asked);
    expect(second.flatMap(called)).not.toContain('memory_save');
    expect(lastResult(second[1]!)).toBe('technology');
  });

  it('reaches neither the machine nor other folders by itself', async () => {
    const { keepsake, model } = await agentsWorkspace(
      [
        call('http_request', { url: 'http://127.0.0.1:9/latest' }),
        call('file_write', { path: 'agents/news-curator.md', content: 'x' }),
        'Neither worked.',
      ],
      'news-curator',
    );
    const { code, stdout, stderr } = await keepsake('run', 'news-curator');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Neither worked.\n' });
    expect(stderr.match(/^✗ /gm)).toHaveLength(2);
    expect(lastResult(model.requests[1]!)).toContain('is an address of this machine or its private network');
    expect(lastResult(model.requests[2]!)).toContain('outside the folders of this agent: output/');
  });
});

describe('D-30 the researcher', () => {
  const TOPIC = 'tidal_power';

  function researcher(request: ScriptedRequest): ScriptedReply {
    const { prompt } = request;
    const done = called(request);
    const result = lastResult(request);
    if (!done.includes('memory_retrieve')) return call('memory_retrieve', { section: TOPIC });
    if (prompt.startsWith('What do you know')) return `From my notes: ${result}`;
    if (prompt.startsWith('Quote')) {
      if (!done.includes('memory_append')) {
        return call('memory_append', { section: TOPIC, content: 'quotation\n'.repeat(60) });
      }
      // D-18: the hint is what makes it summarise.
      if (!done.includes('memory_save')) {
        return result.includes('memory_save')
          ? call('memory_save', { section: TOPIC, content: 'Summary: tides turn turbines.' })
          : 'There was no hint.';
      }
      return 'Condensed.';
    }
    if (!done.includes('memory_save')) {
      return call('memory_save', { section: TOPIC, content: 'Summary: tides turn turbines.\nSources: two.' });
    }
    return 'Researched.';
  }

  it('looks into its notes first, answers from them in another process, and condenses what grew too long', async () => {
    const { keepsake, read, model } = await agentsWorkspace(researcher, 'researcher');
    const task = 'Research tidal power.';
    expect((await keepsake('run', 'researcher', task)).stdout).toBe('Researched.\n');
    const asked = model.requests.length;
    expect((await keepsake('run', 'researcher', 'What do you know about tidal power?')).stdout).toBe(
      'From my notes: Summary: tides turn turbines.\nSources: two.\n',
    );
    expect(called(model.requests.at(-1)!)).toEqual(['memory_retrieve']);
    expect(model.requests).toHaveLength(asked + 2);
    expect((await keepsake('run', 'researcher', 'Quote the sources.')).stdout).toBe('Condensed.\n');
    expect(read('agents/researcher.memory.md')).toBe(`# ${TOPIC}\nSummary: tides turn turbines.\n`);
  });
});
