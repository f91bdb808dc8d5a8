/** Values of LangGraph as JSON can hold them: text where the serializer makes text, else base64. */
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

export type Serialized = { type: string; text: string } | { type: string; base64: string };

export async function dump(serde: SerializerProtocol, value: unknown): Promise<Serialized> {
  const [type, bytes] = await serde.dumpsTyped(value);
  if (typeof bytes === 'string') return { type, text: bytes };
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer)
    ? { type, text }
    : { type, base64: buffer.toString('base64') };
}

export async function load<T>(serde: SerializerProtocol, stored: Serialized): Promise<T> {
  const bytes =
    'text' in stored
      ? new TextEncoder().encode(stored.text)
      : Uint8Array.from(Buffer.from(stored.base64, 'base64'));
  return (await serde.loadsTyped(stored.type, bytes)) as T;
}
