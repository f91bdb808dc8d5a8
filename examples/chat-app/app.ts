/** A chat for many users. Each has threads and a memory of their own, and can see, correct, export and erase it. */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { streamText } from 'hono/streaming';
import { type AgentOptions, type Client, KeepsakeError } from 'keepsake';

type Variables = { user: string };

export function createApp(client: Client, model: NonNullable<AgentOptions['model']>) {
  /** The assistant, as it serves one person. */
  const assistant = (user: string) =>
    client.agent({
      name: 'assistant',
      user,
      model,
      systemPrompt: 'You are a friendly assistant. Use what you remember, and say when you do not know.',
      // Every exchange is a session here, and a session is reviewed from two messages on.
      memory: { enabled: true, minMessagesToExtract: 2, maxCharsProfile: 800 },
    });

  const app = new Hono<{ Variables: Variables }>();

  app.get('/', async (c) => c.html(await readFile(new URL('page.html', import.meta.url), 'utf8')));

  // Replace these two with your sign-in: whoever can set the cookie is that user.
  app.post('/login', async (c) => {
    const { user } = await c.req.json<{ user: string }>();
    setCookie(c, 'user', user, { httpOnly: true, sameSite: 'Strict' });
    return c.json({ user });
  });
  app.use('/api/*', async (c, next) => {
    const user = getCookie(c, 'user');
    if (!user) return c.json({ error: 'Sign in first.' }, 401);
    c.set('user', user);
    return next();
  });

  app.get('/api/threads', async (c) => c.json(await assistant(c.var.user).log.list()));

  app.get('/api/threads/:id', async (c) => {
    const thread = assistant(c.var.user).conversation(c.req.param('id'));
    return c.json(await thread.log.get({ limit: 100 }));
  });

  app.post('/api/threads/:id', async (c) => {
    const thread = assistant(c.var.user).conversation(c.req.param('id'));
    const message = await c.req.text();
    return streamText(c, async (stream) => {
      const stop = new AbortController();
      stream.onAbort(() => stop.abort());
      const session = await thread.session();
      try {
        for await (const event of session.stream(message, { signal: stop.signal }))
          if (event.type === 'text') await stream.write(event.text);
      } finally {
        // The review that learns from the exchange goes on when the answer is there.
        void session.end();
      }
    });
  });

  app.post('/api/threads/:id/archive', async (c) => {
    const thread = assistant(c.var.user).conversation(c.req.param('id'));
    return c.json(await thread.log.archive());
  });

  app.get('/api/memory', async (c) => {
    const user = client.user(c.var.user);
    const [profile, memories] = await Promise.all([user.profile(), user.memory.list({ limit: 100 })]);
    return c.json({ profile: profile.text, memories });
  });

  app.get('/api/recall', async (c) =>
    c.json(await assistant(c.var.user).memory.recall(c.req.query('q') ?? '')),
  );

  app.delete('/api/memory/:id', async (c) =>
    c.json(await client.user(c.var.user).memory.forget(c.req.param('id'))),
  );

  app.delete('/api/me', async (c) => {
    const [erased] = await client.erase({ user: c.var.user });
    return c.json(erased?.receipt);
  });

  app.onError((error, c) => {
    if (!KeepsakeError.is(error)) throw error;
    return c.json({ error: error.message, hint: error.hint }, error.code === 'NOT_FOUND' ? 404 : 400);
  });

  return app;
}
