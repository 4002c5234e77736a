// Effects of container channels, tracks and timestamps on responses: real server, real recordings.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openLive } from '../support/live.ts'
import { startServer } from '../support/server.ts'
import { formOf, recordingFile, wordsApart } from '../support/speech.ts'

setDefaultTimeout(240_000)

const server = await startServer()
afterAll(async () => {
  expect(server.log().filter((entry) => ['error', 'fatal'].includes(String(entry.level)))).toEqual([])
  expect(await server.stop()).toBe(0)
})

const SENTENCE = 'He was not an ill-disposed young man.'

type Transcribed = {
  text: string
  duration: number
  segments: { start: number; end: number; words: { start: number; end: number }[] }[]
  warnings: { code: string; message: string }[]
}

async function transcribed(file: string): Promise<Transcribed> {
  const body = await formOf(file, { word_timestamps: 'true', language: 'en' })
  const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body })
  expect(response.status).toBe(200)
  return (await response.json()) as Transcribed
}

const SENTENCES = [
  ...['channels/inverted.webm', 'channels/inverted.m4a', 'channels/noise-left.webm'],
  ...['tracks/silent-first.mp4', 'tracks/default-second.mkv', 'tracks/noise-first.mov', 'tracks/three.mkv'],
]

test.each(SENTENCES)('transcribes the sentence in %s', async (file) => {
  const { text, warnings } = await transcribed(file)
  expect(wordsApart(text, SENTENCE), text).toBeLessThanOrEqual(2)
  expect(warnings.map(({ code }) => code)).toEqual(file.startsWith('tracks/') ? ['other_tracks'] : [])
})

test('reports the tracks of a capture that were not transcribed', async () => {
  const body = await formOf('tracks/default-second.mkv')
  const response = await fetch(`${server.url}/captures?wait=120`, { method: 'POST', body })
  expect(response.status).toBe(201)
  const { warnings } = (await response.json()) as { warnings: { code: string; message: string }[] }
  expect(warnings).toEqual([
    {
      code: 'other_tracks',
      message: 'The recording has 2 audio tracks. Only track 2 was transcribed; track 1 was not.',
    },
  ])
})

describe('times match the position in a player', () => {
  test('if the audio starts 5 s late', async () => {
    const { duration, segments } = await transcribed('timestamps/audio-starts-at-5s.mp4')
    expect(duration).toBe(12)
    const [{ start, end, words }] = segments as [Transcribed['segments'][number]]
    expect(segments).toHaveLength(1)
    expect(start).toBeGreaterThan(4.9)
    expect(end).toBeLessThan(8.1)
    expect(words[0]!.start).toBeGreaterThan(4.9)
  })

  test('if 17 s are missing between two sentences', async () => {
    const { duration, segments } = await transcribed('timestamps/gap-of-17s.webm')
    expect(duration).toBeCloseTo(27.1, 1)
    const early = segments.filter(({ start }) => start < 10)
    const late = segments.filter(({ start }) => start > 10)
    expect(early.at(-1)!.end).toBeLessThan(4)
    expect(late[0]!.start).toBeGreaterThan(19.8)
    expect(late.at(-1)!.end).toBeLessThan(27.2)
    expect(late.flatMap(({ words }) => words).every(({ start }) => start > 19.8)).toBe(true)
  })

  test('in a stream too', async () => {
    const bytes = await recordingFile('timestamps/gap-of-17s.webm').bytes()
    const live = await openLive(server.url, { query: { language: 'en' } })
    live.send(bytes)
    live.stop()
    expect((await live.closed).code).toBe(1000)
    expect(live.of('speech_started').at(-1)!.time).toBeGreaterThan(19.5)
  })
})

test.each(['inverted.webm', 'noise-left.webm'])(
  'transcribes the sentence in channels/%s live',
  async (name) => {
    const live = await openLive(server.url, { query: { language: 'en' } })
    live.send(await recordingFile(`channels/${name}`).bytes())
    live.stop()
    expect((await live.closed).code).toBe(1000)
    const text = live
      .of('final')
      .map((one) => one.text)
      .join(' ')
    expect(wordsApart(text, SENTENCE), text).toBeLessThanOrEqual(2)
  },
)
