// An engine on another computer: sends each window to the OpenAI-compatible server that the user set.

import {
  accessTo,
  type EndpointFailure,
  listedModels,
  type ReadKey,
  requestJson,
  type ServerAccess,
  type ServerAddress,
  type ServerName,
} from '../lib/openai-server.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { createTurns } from '../lib/turns.ts'
import { toInt16Bytes, wavHeaderOf } from '../lib/wav.ts'
import {
  ABORTED,
  type Engine,
  type EngineFailure,
  SAMPLE_RATE,
  type WindowRequest,
  type WindowTranscript,
} from './engine.ts'
import { readRemoteAnswer } from './remote-answer.ts'

/** Enough to hide the network behind a GPU's work, and little for a server that transcribes one window at a time. */
const WINDOWS = 4
/** A hundred times the answer for a window of 30 s. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
/** Some servers load their model first, or have no GPU. A wrong timeout costs a repetition on this computer. */
const WINDOW_DEADLINE_MS = { fixed: 60_000, perSecond: 3000 }
const CHECK_DEADLINE_MS = 5000
/** Until then, the server counts as reachable after a success: an unreachable one costs a check, not a window's deadline. */
const CHECK_VALID_MS = 60_000

/** OpenAI's name; servers with one model ignore it. */
const ANY_MODEL = 'whisper-1'

const NAME: ServerName = { server: 'the transcription server', keySetting: 'engine_key_env' }

/** A retry does not help until the user changes a setting, a key or that server. */
const REFUSALS: readonly EndpointFailure['code'][] = [
  'bad_address',
  'key_refused',
  'key_missing',
  'unauthorized',
]

const failureOf = ({ code, message }: EndpointFailure): EngineFailure => ({
  code: REFUSALS.includes(code) ? 'remote_refused' : 'remote_failed',
  message,
})

const failed = (message: string) => fail<EngineFailure>({ code: 'remote_failed', message })

const LATE = 'The transcription server did not respond in time.'

export type RemoteEngineOptions = {
  address: ServerAddress
  readKey: ReadKey
  /** Whisper's code for a language's code or English name; null if unknown */
  readLanguage: (text: string) => string | null
  /** @default WINDOW_DEADLINE_MS */
  windowDeadlineMs?: { fixed: number; perSecond: number }
  /** @default CHECK_DEADLINE_MS */
  checkDeadlineMs?: number
}

export type RemoteEngine = Engine & {
  /** why the last request failed; null after a success, and before the first request */
  problem(): string | null
  /** Requests the list of models, and chooses one. */
  check(cancel?: AbortSignal): Promise<Result<void, EngineFailure>>
}

export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { address, readKey, readLanguage } = options
  const { windowDeadlineMs = WINDOW_DEADLINE_MS, checkDeadlineMs = CHECK_DEADLINE_MS } = options
  const host = URL.parse(address.baseUrl)?.host ?? address.baseUrl
  const turns = createTurns(() => WINDOWS)
  const closing = new AbortController()
  let model = ANY_MODEL
  let validUntil = 0
  let problem: string | null = null

  /** Runs with access to the server, within the deadline. The cause of an abort decides the failure. */
  const during = async <T>(
    deadlineMs: number,
    cancel: AbortSignal | undefined,
    run: (access: ServerAccess, signal: AbortSignal) => Promise<Result<T, EngineFailure>>,
  ): Promise<Result<T, EngineFailure>> => {
    const access = accessTo(address, { name: NAME, readKey })
    const late = AbortSignal.timeout(deadlineMs)
    const stop = [late, closing.signal, ...(cancel ? [cancel] : [])]
    const result = access.ok
      ? await run(access.value, AbortSignal.any(stop))
      : fail(failureOf(access.failure))
    if (closing.signal.aborted) return fail({ code: 'engine_closed', message: 'The server is stopping.' })
    if (cancel?.aborted) return fail(ABORTED)
    const outcome = !result.ok && late.aborted ? failed(LATE) : result
    problem = outcome.ok ? null : outcome.failure.message
    validUntil = outcome.ok ? performance.now() + CHECK_VALID_MS : 0
    return outcome
  }

  const check = (cancel?: AbortSignal) =>
    during(checkDeadlineMs, cancel, async (access, signal) => {
      const listed = await listedModels(access, { maxBytes: MAX_ANSWER_BYTES, signal })
      // whisper.cpp's server has no such list; any other failure is one of the server.
      if (!listed.ok && listed.failure.status !== 404) return fail(failureOf(listed.failure))
      model = listed.ok ? preferred(listed.value) : ANY_MODEL
      return succeed(undefined)
    })

  const send = (request: WindowRequest) => {
    const seconds = request.samples.length / SAMPLE_RATE
    const deadlineMs = windowDeadlineMs.fixed + windowDeadlineMs.perSecond * seconds
    return during(
      deadlineMs,
      request.signal,
      async (access, signal): Promise<Result<WindowTranscript, EngineFailure>> => {
        const body = formOf(request, model)
        const limits = { maxBytes: MAX_ANSWER_BYTES, signal }
        const response = await requestJson(access, { path: '/audio/transcriptions', body, ...limits })
        if (!response.ok) return fail(failureOf(response.failure))
        const answer = readRemoteAnswer(response.value, seconds * 1000)
        if (answer === null)
          return failed("The transcription server's response is not verbose_json with segments.")
        const { segments } = answer
        const language = request.language ?? readLanguage(answer.language ?? '')
        if (language === null && segments.length > 0)
          return failed("The transcription server's response names no language.")
        for (const segment of segments) request.onSegment?.(segment)
        // Without segments the language has no effect.
        return succeed({
          language: language ?? 'en',
          languageProbability: null,
          segments,
          model: `${model} (${host})`,
        })
      },
    )
  }

  const transcribe = async (request: WindowRequest) => {
    const work = async () => {
      const reached = performance.now() < validUntil ? succeed(undefined) : await check(request.signal)
      return reached.ok ? send(request) : reached
    }
    return (await turns.add(() => 'beside', work, request.signal)) ?? fail(ABORTED)
  }

  return {
    info: () => ({
      ...{ name: host, version: '1', threads: 1, simd: 'none' },
      ...{ prompt: true, secondPass: false, translate: false, wordTimes: true },
      windows: WINDOWS,
      maxModelBytes: Number.POSITIVE_INFINITY,
    }),
    health: () => ({ state: turns.size() > 0 ? 'busy' : 'ready', loadedModel: null, restarts: 0 }),
    async load(_model, signal) {
      const startedAt = performance.now()
      const reached = await check(signal)
      return reached.ok ? succeed({ loadMs: Math.round(performance.now() - startedAt) }) : reached
    },
    transcribe,
    warmUp() {},
    async unload() {},
    async close() {
      closing.abort()
    },
    problem: () => problem,
    check,
  }
}

/** OpenAI's name if the server has it, else a model that transcribes, since a server may list others as well. */
const preferred = (names: readonly string[]): string =>
  names.find((name) => name === ANY_MODEL) ??
  names.find((name) => /whisper|transcri/i.test(name)) ??
  names[0] ??
  ANY_MODEL

function formOf({ samples, language, prompt }: WindowRequest, model: string): FormData {
  const pcm = toInt16Bytes(samples)
  const header = wavHeaderOf({ sample: 's16', rate: SAMPLE_RATE, dataBytes: pcm.length })
  const form = new FormData()
  form.set('file', new File([header, pcm], 'window.wav', { type: 'audio/wav' }))
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  for (const granularity of ['word', 'segment']) form.append('timestamp_granularities[]', granularity)
  if (language !== null) form.set('language', language)
  if (prompt !== null) form.set('prompt', prompt)
  return form
}
