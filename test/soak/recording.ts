// The operations that bring recordings: whole, in many formats, broken, broken off, waited for and not.
// Those on what was recorded are looking.ts and shaping.ts.

import { type Operation, OR_GONE, turnsAmong, type World } from './operation.ts'
import { formOf, type Sound } from './sounds.ts'

const LATELY = 12

type Made = { id: string }

const remember = ({ lately }: World, made: Made | null): void => {
  if (made !== null) lately.push(made.id)
  if (lately.length > LATELY) lately.shift()
}

async function keep(world: World, route: string, sound: Sound, query = ''): Promise<Made | null> {
  const made = await world.client.json<Made>(`/captures${query}`, {
    ...{ route, body: formOf(sound, { app_name: 'Soak', source: 'dictation' }), expect: [201, 202] },
  })
  remember(world, made)
  return made
}

/** Two thirds of a recording, and then nothing until the client goes. */
const brokenOff = ({ bytes }: Sound): ReadableStream<Uint8Array> =>
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

export const recordingOperations: Operation[] = [
  { often: 8, run: (world) => keep(world, 'capture of silence', world.sounds.silence) },
  { often: 2, run: (world) => keep(world, 'capture of speech', nextOf(world.sounds.formats)) },
  { often: 3, run: (world) => keep(world, 'capture, not waited for', world.sounds.silence, '?wait=false') },
  { often: 1, run: (world) => keep(world, 'capture, waited 0 s for', nextOf(world.sounds.short), '?wait=0') },
  {
    often: 2,
    run: async (world) =>
      remember(
        world,
        await world.client.json<Made>('/captures?title=raw', {
          ...{ route: 'capture of a raw body', body: world.sounds.silence.bytes },
          headers: { 'content-type': 'audio/wav' },
        }),
      ),
  },
  {
    often: 3,
    run: ({ client, sounds }) => {
      const { sound, expect } = nextOf(sounds.bad)
      return client.ask('/captures', { route: 'capture of what is none', body: formOf(sound), expect })
    },
  },
  {
    often: 2,
    run: ({ client, sounds }) =>
      client.drop('/captures', {
        ...{ route: '', method: 'POST', body: brokenOff(sounds.short[0]!) },
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      }),
  },
  {
    often: 1,
    run: ({ client, sounds }) =>
      client.drop('/captures', {
        ...{ route: '', method: 'POST', body: brokenOff(sounds.silence) },
        headers: { 'content-type': 'audio/wav' },
      }),
  },
  {
    often: 2,
    run: ({ client, sounds }) =>
      client.ask('/transcribe', {
        route: 'transcribe',
        body: formOf(sounds.silence, { response_format: turn.format() }),
      }),
  },
  {
    often: 1,
    run: ({ client, sounds }) =>
      client.ask('/transcribe', {
        route: 'transcribe, streamed',
        body: formOf(nextOf(sounds.short), { stream: 'true' }),
      }),
  },
  {
    often: 1,
    run: ({ client, sounds }) => {
      const body = formOf(nextOf(sounds.short))
      return client.drop('/transcribe', { route: '', body, signal: AbortSignal.timeout(100) })
    },
  },
  {
    often: 1,
    run: ({ client, sounds }) => {
      const body = formOf(nextOf(sounds.short))
      return client.drop('/captures', { route: '', body, signal: AbortSignal.timeout(100) })
    },
  },
  {
    often: 1,
    run: ({ client, sounds }) =>
      client.ask('/v1/audio/transcriptions', {
        route: "OpenAI's transcription",
        body: formOf(nextOf(sounds.short), { model: 'whisper-1', ...turn.openai() }),
      }),
  },
  {
    often: 1,
    run: async (world) => {
      const made = await world.client.json<Made>('/captures?wait=false', {
        ...{ route: 'capture, not waited for', body: formOf(world.sounds.silence), expect: [202] },
      })
      if (made === null) return
      await world.client.ask(`/captures/${made.id}/cancel`, {
        ...{ route: 'cancel', method: 'POST', expect: [...OR_GONE, 409] },
      })
    },
  },
]
