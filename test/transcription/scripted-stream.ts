// A stream with known words: a matching engine, detector and samples.
// Deliberately test doubles: a real engine cannot control which words arrive when.

import type { SpeechDetector } from '../../src/audio/speech-detector.ts'
import type { StreamingVad } from '../../src/audio/streaming-vad.ts'
import type { EngineFailure, WindowRequest, WindowTranscript } from '../../src/engine/engine.ts'
import { type Result, succeed } from '../../src/lib/result.ts'
import type { SegmenterRequest } from '../../src/transcription/live/segmenter.ts'
import { createLiveTranscription } from '../../src/transcription/live/transcription.ts'
import { SILENCE_MS, type UtteranceWriter } from '../../src/transcription/live/utterance.ts'
import { segment } from './spoken.ts'

const RATE = 16_000
/** Each sample encodes its own position in the stream: integers up to 2^24 are exact in 32-bit floats. */
const SCALE = 2 ** 24

export type Phrase = { text: string; fromSecond: number; toSecond: number }
type EngineResult = Result<WindowTranscript, EngineFailure>
/** Turns the correct transcription into the engine's response. */
export type Recognise = (
  phrases: Phrase[],
  request: WindowRequest,
  call: number,
) => Phrase[] | Promise<EngineResult>

const MODEL = { name: 'tiny', path: 'tiny.bin', bytes: 1, multilingual: true }

const placeOf = (sample: number) => Math.round(sample * SCALE)
export const samplesBetween = (fromSecond: number, toSecond: number): Float32Array =>
  Float32Array.from(
    { length: Math.round((toSecond - fromSecond) * RATE) },
    (_, index) => (Math.round(fromSecond * RATE) + index) / SCALE,
  )

/** Three words a second. */
export const sentence = (text: string, fromSecond: number): Phrase => ({
  text,
  fromSecond,
  toSecond: fromSecond + text.split(' ').length / 3,
})

/** The words inside a window, with times on its clock, phrase by phrase. */
function spokenIn(phrases: Phrase[], samples: Float32Array): Phrase[] {
  const places = new Map<number, number>()
  for (let at = 0; at < samples.length; at += 16)
    places.set(Math.round(placeOf(samples[at]!) / 16), at / RATE)
  return phrases.flatMap(({ text, fromSecond, toSecond }) => {
    const inWindow = segment(text, fromSecond * 1000, toSecond * 1000).words.flatMap(
      ({ word, startMs, endMs }) => {
        const middle = places.get(Math.round(((startMs + endMs) / 2000) * (RATE / 16)))
        const half = (endMs - startMs) / 2000
        return middle === undefined ? [] : { word, from: Math.max(0, middle - half), to: middle + half }
      },
    )
    const [first, last] = [inWindow[0], inWindow.at(-1)]
    if (!first || !last) return []
    return { text: inWindow.map(({ word }) => word).join(' '), fromSecond: first.from, toSecond: last.to }
  })
}

type Script = Partial<Omit<SegmenterRequest, 'utterances'>> & {
  recognise?: Recognise
  utterances?: Partial<UtteranceWriter>
  /** replaces the default detector */
  follow?: StreamingVad['follow']
}

/** Utterances are transcribed correctly, whatever `recognise` does. */
export function scriptedStream(
  phrases: Phrase[],
  { recognise = (recognised) => recognised, utterances, follow, ...request }: Script = {},
) {
  const requests: {
    samples: number
    prompt: string | null
    language: string | null
    firstSecond: number
    lastSecond: number
  }[] = []
  const confirmed: string[] = []
  const partials: string[] = []
  const finals: string[] = []
  const state = { inFlight: 0, mostInFlight: 0 }
  const engine = {
    async transcribe(window: WindowRequest): Promise<EngineResult> {
      const { samples, prompt, language } = window
      requests.push({
        samples: samples.length,
        prompt,
        language,
        firstSecond: placeOf(samples[0]!) / RATE,
        lastSecond: placeOf(samples.at(-1)!) / RATE,
      })
      state.mostInFlight = Math.max(state.mostInFlight, ++state.inFlight)
      const recognised = recognise(spokenIn(phrases, samples), window, requests.length)
      try {
        if (!Array.isArray(recognised)) return await recognised
      } finally {
        state.inFlight--
      }
      const segments = recognised.map(({ text, fromSecond, toSecond }) =>
        segment(text, fromSecond * 1000, toSecond * 1000),
      )
      return succeed({ language: 'en', languageProbability: 0.9, segments })
    },
  }
  const isSpoken = (second: number) =>
    phrases.some(({ fromSecond, toSecond }) => second >= fromSecond && second < toSecond)
  const detector: Pick<SpeechDetector, 'follow'> = {
    follow: () => ({
      follow:
        follow ??
        (async (samples) =>
          succeed(
            Float32Array.from({ length: Math.ceil(samples.length / 512) }, (_, frame) =>
              isSpoken(placeOf(samples[frame * 512]!) / RATE) ? 0.95 : 0.02,
            ),
          )),
    }),
  }
  const live = createLiveTranscription(
    { engine, detector },
    {
      model: MODEL,
      language: null,
      task: 'transcribe',
      prompt: null,
      signal: new AbortController().signal,
      onConfirmed: ({ text }) => confirmed.push(text),
      onPartial: (text) => partials.push(text),
      onSlow() {},
      utterances: {
        silenceMs: SILENCE_MS.usual,
        begins() {},
        ends() {},
        async write({ samples }) {
          const said = spokenIn(phrases, samples).map(({ text }) => text)
          return succeed(() => void finals.push(said.join(' ')))
        },
        ...utterances,
      },
      ...request,
    },
  )
  let fed = 0
  return {
    live,
    requests,
    confirmed,
    partials,
    finals,
    state,
    /** pushes pieces; waits for a step after each if the engine responds at once */
    async feedUntil(second: number, pieceSeconds = 0.5) {
      while (fed < second) {
        const until = Math.min(second, fed + pieceSeconds)
        live.push(samplesBetween(fed, until))
        fed = until
        await settled()
      }
    },
    async finish() {
      live.finish()
      const ended = await live.ended
      if (!ended.ok) throw new Error(`${ended.failure.code}: ${ended.failure.message}`)
    },
  }
}

/** The test doubles never wait, so all pending work is done at the next turn of the event loop. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
