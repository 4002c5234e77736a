// A server that delegates transcription to another one: both are real, with real speech.

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { joinedSamples } from '../support/flac.ts'
import { openLive, spokenIn } from '../support/live.ts'
import { startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { wavOf } from '../support/wav.ts'

/** Generous, for a busy machine. */
setDefaultTimeout(240_000)

const KEY = 'a-token-of-more-than-sixteen-letters'
const [near, far] = await Promise.all([
  startServer({
    env: { DICTATION_FAR_KEY: KEY, DICTATION_WRONG_KEY: 'b-token-of-more-than-sixteen-letters' },
  }),
  startServer({ env: { DICTATION_TOKEN: KEY } }),
])
afterAll(async () => {
  expect(await near.stop()).toBe(0)
  await far.stop()
})

const host = new URL(far.url).host
const short = recordingFile('human-4.flac')

// biome-ignore lint/suspicious/noExplicitAny: the expectations inspect it
type Json = any

const send = async (method: string, path: string, body?: object | FormData): Promise<Json> => {
  const isForm = body instanceof FormData
  const response = await fetch(`${near.url}${path}`, {
    method,
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
  })
  return response.json()
}

const sendTo = (apiKeyEnv: string | null) =>
  send('PATCH', '/settings/captures', { engine_url: `${far.url}/v1`, engine_key_env: apiKeyEnv })

async function capture(recording: Blob): Promise<Json> {
  const form = new FormData()
  form.set('file', recording, 'said')
  form.set('language', 'en')
  form.set('refine', 'false')
  return send('POST', '/captures', form)
}

/** Number of requests with speech that the other server answered with 200. */
const transcribedThere = () =>
  far.log().filter(({ route, status }) => route === '/v1/audio/transcriptions' && status === 200).length

const problem = async () => (await send('GET', '/health')).speech.problem

test('a recording is transcribed there, with word times, and the capture names that model', async () => {
  const here = await capture(short)
  expect((await send('GET', '/health')).speech).toEqual({ sent_to: null, problem: null })
  expect(transcribedThere()).toBe(0)

  await sendTo('DICTATION_FAR_KEY')
  const there = await capture(wavOf(await joinedSamples(['paragraph-1.flac', 1, 'paragraph-2.flac'])))
  expect((await send('GET', '/health')).speech).toEqual({ sent_to: far.url, problem: null })
  // One for each window of at most 30 s.
  expect(transcribedThere()).toBe(2)
  expect(there.stt_model).toBe(`whisper-1 (${host})`)
  expect(there.text.split(' ').length).toBeGreaterThan(80)
  const { segments } = await send('GET', `/captures/${there.id}`)
  const words = segments.flatMap(({ words }: Json) => words)
  expect(words.length).toBeGreaterThan(80)
  expect(words.at(-1).start).toBeGreaterThan(30)

  const again = await send('POST', `/captures/${here.id}/retranscribe?wait=true`, {})
  expect([again.text, again.stt_model]).toEqual([here.text, `whisper-1 (${host})`])
})

test('only finished utterances of live speech are sent, no previews', async () => {
  await sendTo('DICTATION_FAR_KEY')
  const before = transcribedThere()
  const client = await openLive(near.url, { query: { language: 'en' } })
  client.send((await spokenIn('short-03.flac')).subarray(0, 2 * 16_000))
  await client.first('partial')
  expect(transcribedThere()).toBe(before)
  client.stop()
  await client.closed
  expect(client.of('final')).toMatchObject([
    { text: expect.stringMatching(/\w/), model: `whisper-1 (${host})` },
  ])
  expect(transcribedThere()).toBeGreaterThan(before)
})

test('this computer transcribes when the key is refused, and says why', async () => {
  const before = transcribedThere()
  await sendTo('DICTATION_WRONG_KEY')
  await until(async () => (await problem()) !== null)
  expect(await problem()).toBe('The transcription server requires a valid API key (status 401).')
  const { warnings } = await send('GET', '/settings/captures')
  expect(warnings).toEqual([
    { code: 'engine_unavailable', message: `${await problem()} Until it works, this computer transcribes.` },
  ])
  const local = await capture(short)
  expect([local.status, local.stt_model]).toEqual(['completed', expect.not.stringContaining(host)])
  expect(transcribedThere()).toBe(before)
})

test('this computer transcribes when the other server is gone', async () => {
  await sendTo('DICTATION_FAR_KEY')
  await far.kill()
  const local = await capture(short)
  expect([local.status, local.stt_model]).toEqual(['completed', expect.not.stringContaining(host)])
  expect(await problem()).toContain('cannot be reached')
  await send('PATCH', '/settings/captures', { engine_url: null })
  expect((await send('GET', '/health')).speech).toEqual({ sent_to: null, problem: null })
})
