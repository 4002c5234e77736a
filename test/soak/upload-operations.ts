// The operations that upload recordings: complete, damaged and interrupted ones, with and without waiting.

import { type Operation, OR_GONE, turnsAmong, type World } from './operation.ts'
import { formOf, type Recording } from './recordings.ts'

const RECENT = 12

type Created = { id: string }

const remember = ({ recent }: World, made: Created | null): void => {
  if (made !== null) recent.push(made.id)
  if (recent.length > RECENT) recent.shift()
}

async function create(
  world: World,
  route: string,
  recording: Recording,
  query = '',
): Promise<Created | null> {
  const made = await world.client.json<Created>(`/captures${query}`, {
    ...{ route, body: formOf(recording, { app_name: 'Soak', source: 'dictation' }), expect: [201, 202] },
  })
  remember(world, made)
  return made
}

/** Two thirds of a recording, then an abort by the client. */
const interrupted = ({ bytes }: Recording): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue(bytes.slice(0, (bytes.length * 2) / 3))
      await Bun.sleep(150)
      controller.error(new Error('aborted by the client'))
    },
  })

const turn = {
  format: turnsAmong(['json', 'verbose_json', 'text', 'srt', 'vtt']),
  openai: turnsAmong([{}, { stream: 'true' }, { response_format: 'verbose_json' }]),
  count: turnsAmong(Array.from({ length: 720 }, (_, index) => index)),
}
const nextOf = <T>(list: readonly T[]): T => list[turn.count() % list.length]!

export const uploadOperations: Operation[] = [
  { weight: 8, run: (world) => create(world, 'capture of silence', world.recordings.silence) },
  { weight: 2, run: (world) => create(world, 'capture of speech', nextOf(world.recordings.formats)) },
  {
    weight: 3,
    run: (world) => create(world, 'capture without waiting', world.recordings.silence, '?wait=false'),
  },
  {
    weight: 1,
    run: (world) => create(world, 'capture, waiting 0 s', nextOf(world.recordings.short), '?wait=0'),
  },
  {
    weight: 2,
    run: async (world) =>
      remember(
        world,
        await world.client.json<Created>('/captures?title=raw', {
          ...{ route: 'capture of a raw body', body: world.recordings.silence.bytes },
          headers: { 'content-type': 'audio/wav' },
        }),
      ),
  },
  {
    weight: 3,
    run: ({ client, recordings }) => {
      const { recording, expect } = nextOf(recordings.bad)
      return client.request('/captures', {
        route: 'capture of an unreadable file',
        body: formOf(recording),
        expect,
      })
    },
  },
  {
    weight: 2,
    run: ({ client, recordings }) =>
      client.drop('/captures', {
        ...{ route: '', method: 'POST', body: interrupted(recordings.short[0]!) },
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      }),
  },
  {
    weight: 1,
    run: ({ client, recordings }) =>
      client.drop('/captures', {
        ...{ route: '', method: 'POST', body: interrupted(recordings.silence) },
        headers: { 'content-type': 'audio/wav' },
      }),
  },
  {
    weight: 2,
    run: ({ client, recordings }) =>
      client.request('/transcribe', {
        route: 'transcribe',
        body: formOf(recordings.silence, { response_format: turn.format() }),
      }),
  },
  {
    weight: 1,
    run: ({ client, recordings }) =>
      client.request('/transcribe', {
        route: 'transcribe, streamed',
        body: formOf(nextOf(recordings.short), { stream: 'true' }),
      }),
  },
  {
    weight: 1,
    run: ({ client, recordings }) => {
      const body = formOf(nextOf(recordings.short))
      return client.drop('/transcribe', { route: '', body, signal: AbortSignal.timeout(100) })
    },
  },
  {
    weight: 1,
    run: ({ client, recordings }) => {
      const body = formOf(nextOf(recordings.short))
      return client.drop('/captures', { route: '', body, signal: AbortSignal.timeout(100) })
    },
  },
  {
    weight: 1,
    run: ({ client, recordings }) =>
      client.request('/v1/audio/transcriptions', {
        route: "OpenAI's transcription",
        body: formOf(nextOf(recordings.short), { model: 'whisper-1', ...turn.openai() }),
      }),
  },
  {
    weight: 1,
    run: async (world) => {
      const made = await world.client.json<Created>('/captures?wait=false', {
        ...{ route: 'capture without waiting', body: formOf(world.recordings.silence), expect: [202] },
      })
      if (made === null) return
      await world.client.request(`/captures/${made.id}/cancel`, {
        ...{ route: 'cancel', method: 'POST', expect: [...OR_GONE, 409] },
      })
    },
  },
]
