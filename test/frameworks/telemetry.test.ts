/** Traces and metrics through the real SDK of OpenTelemetry, with its exporters in memory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { scriptedModel } from '../../src/testing/index.ts';

const exporter = new InMemorySpanExporter();
const counts = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: counts, exportIntervalMillis: 3_600_000 });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const folder = mkdtempSync(join(tmpdir(), 'keepsake-telemetry-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => exporter.reset());

const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
const named = (name: string): ReadableSpan => {
  const found = spans().find((span) => span.name === name);
  if (found === undefined)
    throw new Error(
      `${name} is not among ${spans()
        .map((span) => span.name)
        .join(', ')}`,
    );
  return found;
};
const SECRET = 'The vault code is 4711.';

it('an operation is a span, with the calls of the store and of the embedding model below it', async () => {
  const client = createClient({ workspace: folder });
  const { memory } = client.agent({ name: 'alice' });
  await memory.add({ content: SECRET });
  await memory.search('what is the code of the vault?');
  await expect(memory.get('mem_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await client.close();
  const add = named('keepsake.memory.add');
  expect(add.attributes).toMatchObject({ 'keepsake.verb': 'memory.add', 'keepsake.agent': 'alice' });
  const below = spans().filter((span) => span.parentSpanContext?.spanId === add.spanContext().spanId);
  expect(below.some(({ name }) => name.startsWith('keepsake.store.'))).toBe(true);
  expect(spans().some(({ name }) => name === 'keepsake.embed')).toBe(true);
  expect(named('keepsake.memory.get')).toMatchObject({
    status: { code: 2, message: 'NOT_FOUND' },
    attributes: { 'error.type': 'NOT_FOUND' },
  });
  // No text of anybody is in a span.
  const told = JSON.stringify(
    spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]),
  );
  expect(told).not.toMatch(/4711|code of the vault/);
});

it('a request is part of the trace of its caller', async () => {
  const client = createClient({ workspace: folder });
  const server = await serve(await client.open(), { version: 'test', port: 0, writeLog: () => {} });
  const key = readFileSync(server.serverKeyFile, 'utf8').trim();
  const traceId = 'a'.repeat(32);
  const answer = await fetch(`${server.url}/v1/memory/search?q=vault`, {
    headers: {
      authorization: `Bearer ${key}`,
      'keepsake-agent': 'alice',
      traceparent: `00-${traceId}-${'b'.repeat(16)}-01`,
    },
  });
  expect(answer.status).toBe(200);
  await server.stop();
  await client.close();
  const span = named('keepsake.memory.search');
  expect(span.spanContext().traceId).toBe(traceId);
  expect(span.parentSpanContext?.spanId).toBe('b'.repeat(16));
});

it('a call of a language model is a span with the name of the model', async () => {
  const model = await scriptedModel(() => 'Hello.');
  const client = createClient({ workspace: folder });
  const session = await client
    .agent({ name: 'bob', model: model.model('scripted/model', { retries: 0 }) })
    .session();
  await session.send('Hi.');
  await session.end();
  await client.close();
  await model.close();
  expect(named('keepsake.model.chat').attributes['keepsake.model']).toBeTruthy();
});

it('operations are counted by verb and outcome', async () => {
  await reader.forceFlush();
  const found = counts
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const calls = found.findLast(({ descriptor }) => descriptor.name === 'keepsake.operations');
  expect(calls?.dataPoints.map(({ attributes, value }) => [attributes, value])).toContainEqual([
    { 'keepsake.verb': 'memory.get', 'keepsake.outcome': 'NOT_FOUND' },
    1,
  ]);
  expect(found.some(({ descriptor }) => descriptor.name === 'keepsake.operation.duration')).toBe(true);
});
