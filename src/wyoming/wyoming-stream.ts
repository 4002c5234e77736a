// One stream of audio on a Wyoming connection: converts its samples for the live transcription, and sends the text.

import { frameBytesOf, integerFormat, type PcmLayout } from '../audio/decoding/sample-formats.ts'
import { createWholeSamples } from '../audio/pcm.ts'
import { createPcmStream } from '../audio/pcm-stream.ts'
import type { DictationFailure } from '../dictation/choose-model.ts'
import type { LiveDictation, LiveEvent, LiveStream } from '../dictation/live-dictation.ts'
import {
  checkModelFields,
  type FindsModels,
  languageOrDefault,
  parseLanguage,
} from '../http/fields/fields.ts'
import { createChecker } from '../http/kernel/input.ts'
import { invalidRequest, type Problem, problemOf } from '../http/kernel/problem.ts'
import { openObject, wholeNumber } from '../http/kernel/schema.ts'
import type { LiveChannel } from '../http/transcribe/live/live-socket.ts'
import { createSettledText } from '../http/transcribe/live/settled-text.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { nextTurn } from '../lib/time-slice.ts'
import type { Settings } from '../settings/settings.ts'
import { SILENCE_MS } from '../transcription/live/utterance.ts'
import { joinTexts } from '../transcription/transcript.ts'
import type { WyomingEvent } from './wyoming-frames.ts'

export type WyomingStreamDeps = {
  liveDictation: LiveDictation
  models: FindsModels
  settings: { current(): Settings }
  config: { maxAudioSeconds: number }
  log: Log
}

/** What a `transcribe` event requests for the audio after it. */
export type WyomingRequest = { model: string | null; language: string | undefined; keywords: string[] }

export type WyomingStream = {
  /** takes the samples of an `audio-chunk`; returns why the connection ends, null if it continues */
  push(chunk: WyomingEvent): Promise<Problem | null>
  /** ends the input; the remaining text follows */
  finish(): void
  isFinished(): boolean
  /** resolves when the transcript has been sent, or with the failure that ended the stream */
  ended: Promise<Result<null, DictationFailure>>
}

type Opening = {
  request: WyomingRequest
  layout: PcmLayout
  channel: Pick<LiveChannel, 'send' | 'signal'>
}

const checkFormat = createChecker(
  openObject({
    rate: wholeNumber({ minimum: 4000, maximum: 384_000 }),
    width: wholeNumber({ minimum: 1, maximum: 4 }),
    channels: wholeNumber({ minimum: 1, maximum: 64 }),
  }),
  'body',
)

/** Signed little-endian integers of every width, as in the package `wyoming`. */
export function readLayout({ data }: WyomingEvent): Result<PcmLayout, Problem> {
  const checked = checkFormat(data)
  if (!checked.ok) return fail(invalidRequest(checked.failure))
  const { rate, width, channels } = checked.value
  return succeed({ sample: integerFormat(width, 's8'), littleEndian: true, rate, channels })
}

const FORMAT_CHANGED: Problem = {
  code: 'invalid_request',
  detail: 'The audio format changed within a stream. Send audio-stop before audio of another format.',
}

export async function openWyomingStream(
  deps: WyomingStreamDeps,
  { request, layout, channel }: Opening,
): Promise<Result<WyomingStream, Problem>> {
  const { model, keywords } = request
  const wrong = await checkModelFields(
    deps.models,
    { model, language: parseLanguage(request.language), task: 'transcribe' },
    { in: 'body', model: '/name' },
  )
  if (wrong) return fail(wrong)
  const language = languageOrDefault(request.language, deps.settings.current())
  const transcript = createTranscriptSender(channel, { language, log: deps.log })
  let live: LiveStream | null = null
  const pcm = await createPcmStream(layout, (samples) => live?.push(samples))
  const begun = await deps.liveDictation.begin({
    ...{ model, language, keywords, prompt: null, applyDictionary: null },
    // As in the other protocols: the transcript has one text, and the client is no application to write into.
    ...{ writingStyleId: null, appName: null, styleChoosesModel: false, refine: false },
    // The client determines the end of a command; a pause for thought must not divide it.
    silenceMs: SILENCE_MS.most,
    signal: channel.signal,
    onEvent: transcript.handle,
  })
  if (!begun.ok) {
    pcm.finish()
    return fail(problemOf(begun.failure))
  }
  live = begun.value
  return succeed(createStream(live, { pcm, layout, transcript, maxSeconds: deps.config.maxAudioSeconds }))
}

type Parts = {
  pcm: Awaited<ReturnType<typeof createPcmStream>>
  layout: PcmLayout
  transcript: ReturnType<typeof createTranscriptSender>
  maxSeconds: number
}

function createStream(live: LiveStream, { pcm, layout, transcript, maxSeconds }: Parts): WyomingStream {
  /** a chunk may end inside a sample, which continues in the next one */
  const wholeSamples = createWholeSamples(frameBytesOf(layout))
  const secondBytes = frameBytesOf(layout) * layout.rate
  let bytes = 0
  let isFinished = false
  return {
    async push(chunk) {
      const declared = readLayout(chunk)
      if (!declared.ok) return declared.failure
      if (!Bun.deepEquals(declared.value, layout)) return FORMAT_CHANGED
      bytes += chunk.payload.length
      if (bytes > maxSeconds * secondBytes) return tooLong(maxSeconds)
      const samples = wholeSamples(chunk.payload)
      // One second at a time, so that a large chunk does not block other clients.
      for (let at = 0; at < samples.length; at += secondBytes) {
        pcm.push(samples.subarray(at, at + secondBytes))
        await nextTurn()
      }
      return null
    },
    finish() {
      isFinished = true
      pcm.finish()
      live.finish()
    },
    isFinished: () => isFinished,
    ended: live.ended
      .then((ended) => {
        if (ended.ok) transcript.conclude()
        return ended
      })
      .finally(pcm.finish),
  }
}

/** The pieces are words that never change; clients that do not know them wait for `transcript`, the whole text. */
function createTranscriptSender(
  { send }: Pick<LiveChannel, 'send'>,
  { language: requested, log }: { language: string | null; log: Log },
) {
  const settled = createSettledText()
  const finals: string[] = []
  let language = requested
  let isStarted = false

  const start = () => {
    if (!isStarted) send({ type: 'transcript-start', data: inLanguage() })
    isStarted = true
  }
  const inLanguage = () => (language === null ? {} : { language })
  const sendPiece = (text: string) => {
    if (text === '') return
    start()
    send({ type: 'transcript-chunk', data: { text } })
  }
  return {
    handle(event: LiveEvent) {
      if (event.kind === 'warning') log.info({ code: event.code }, event.message)
      if (event.kind === 'confirmed') sendPiece(settled.confirm(String(event.utterance), event.text))
      if (event.kind !== 'final') return
      language ??= event.language
      finals.push(event.text)
      sendPiece(settled.write(String(event.utterance), event.text))
    },
    conclude() {
      start()
      send({ type: 'transcript', data: { text: joinTexts(finals), ...inLanguage() } })
      send({ type: 'transcript-stop' })
    },
  }
}

const tooLong = (seconds: number): Problem => ({
  code: 'audio_too_long',
  detail: `A stream may have up to ${seconds / 3600} hours of audio (DICTATION_MAX_AUDIO_HOURS). Send audio-stop and begin another.`,
})
