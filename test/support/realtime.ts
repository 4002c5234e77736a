// A client of WS /v1/realtime that behaves as OpenAI's clients: events as JSON, audio as base64.

import { type LiveClient, openSocket } from './live.ts'

export type RealtimeClient = LiveClient & {
  say(event: { type: string; [name: string]: unknown }): void
  append(samples: ArrayBufferView<ArrayBuffer>): void
  commit(): void
  /** sets the properties of `session.audio.input`; resolves when the server confirms */
  set(input: object, more?: object): Promise<void>
  /** resolves when this many items are reported as completed */
  completed(count: number): Promise<string[]>
}

type Opening = { query?: string; headers?: Record<string, string>; protocols?: string[] }

export async function openRealtime(
  url: string,
  { query = 'intent=transcription', ...opening }: Opening = {},
): Promise<RealtimeClient> {
  const client = await openSocket(`${url}/v1/realtime?${query}`, opening)
  const say = (event: object) => client.send(JSON.stringify(event))
  const append = (samples: ArrayBufferView<ArrayBuffer>) => {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    say({ type: 'input_audio_buffer.append', audio: bytes.toString('base64') })
  }
  const COMPLETED = 'conversation.item.input_audio_transcription.completed'
  return {
    ...client,
    say,
    append,
    commit: () => say({ type: 'input_audio_buffer.commit' }),
    async set(input, more = {}) {
      const before = client.of('session.updated').length
      say({ type: 'session.update', session: { type: 'transcription', audio: { input }, ...more } })
      await client.first('session.updated', (one) => client.of('session.updated').indexOf(one) === before)
    },
    async completed(count) {
      await client.first(COMPLETED, (one) => client.of(COMPLETED).indexOf(one) === count - 1)
      return client.of(COMPLETED).map(({ transcript }) => transcript)
    },
  }
}
