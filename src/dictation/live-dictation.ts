// Live transcription with the user's settings: words while the user speaks, then each utterance as a recording.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FLOAT_WAV, writeFloatWav } from '../audio/decoded-wav.ts'
import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { UNFINISHED_SUFFIX } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { Warning } from '../lib/warning.ts'
import { type ScriptWriter, scriptWriterOf } from '../text/chinese-script.ts'
import type { Applied } from '../text/dictionary/entry.ts'
import type { SegmenterRequest } from '../transcription/live/segmenter.ts'
import type { LiveTranscription } from '../transcription/live/transcription.ts'
import { SILENCE_MS, type Utterance } from '../transcription/live/utterance.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import type { Refiner } from '../writing/refined.ts'
import type { WritingStyles } from '../writing/styles.ts'
import {
  type ChoosingDeps,
  chooseModel,
  type DictationFailure,
  languageFor,
  unknownLanguages,
  unwrittenSpelling,
} from './choose-model.ts'
import type { DictatedTranscript, Dictation, DictationRequest } from './dictation.ts'
import { buildRequestPrompt, type PromptDeps, promptWarnings } from './prompt.ts'

export type LiveRequest = Pick<
  DictationRequest,
  | 'model'
  | 'language'
  | 'languages'
  | 'prompt'
  | 'keywords'
  | 'applyDictionary'
  | 'clipboard'
  | 'tokens'
  | 'signal'
> & {
  writingStyleId: string | null
  appName: string | null
  /** as in StyleContext */
  appId?: string | null
  appUrl?: string | null
  /** whether the writing style chooses the model if the request names none; default: true */
  styleChoosesModel?: boolean
  /** whether finals are refined; null: as the settings say */
  refine: boolean | null
  /** silence that ends an utterance, within SILENCE_MS; null: SILENCE_MS.usual */
  silenceMs: number | null
  /** never called after `signal` aborts */
  onEvent: (event: LiveEvent) => void
}

/** Utterances are numbered from 1; times count from the start of the stream. */
export type LiveEvent =
  | { kind: 'speech_started' | 'speech_stopped'; utterance: number; atMs: number }
  /** the text after the confirmed words; may still change */
  | { kind: 'partial'; utterance: number; text: string }
  /** continues the utterance's previous confirmed text, including the space between them */
  | { kind: 'confirmed'; utterance: number; text: string; startMs: number; endMs: number }
  | ({ kind: 'final' } & FinalUtterance)
  | ({ kind: 'warning' } & Warning)

/** The audio between its times, uploaded as a recording, gives the same text. */
export type FinalUtterance = Pick<
  DictatedTranscript,
  'text' | 'language' | 'languageProbability' | 'model'
> & {
  utterance: number
  startMs: number
  endMs: number
  segments: Segment[]
  /** null if refining is off or there was no speech */
  refined: { text: string; writingStyleId: string } | null
}

export type LiveStream = Pick<LiveTranscription, 'push'> & {
  /** name of the chosen model */
  model: string
  /** ends the input; the remaining audio is transcribed and emitted */
  finish(): void
  /** resolves when everything was emitted, or with the failure that ended the stream */
  ended: Promise<Result<null, DictationFailure>>
}

export type LiveDictation = {
  begin(request: LiveRequest): Promise<Result<LiveStream, DictationFailure>>
}

export type LiveDictationDeps = ChoosingDeps &
  PromptDeps & {
    dictation: Dictation
    dictionary: Pick<TaughtDictionary, 'noteUse'>
    beginLive: (request: SegmenterRequest) => LiveTranscription
    refiner: Refiner
    styles: Pick<WritingStyles, 'match'>
    /** an utterance is stored in `inbox` while it is transcribed; start-up removes leftovers of a crash */
    folders: { inbox: string }
  }

/** Worth one retry: a new process replaces the one that failed. */
const TRANSIENT = ['engine_crashed', 'engine_timeout', 'speech_detector_failed', 'decoder_crashed']

const SLOWER_THAN_SPEECH: Warning = {
  code: 'slower_than_speech',
  message:
    'This computer transcribes more slowly than the audio arrives: text appears only at pauses. No speech is lost.',
}

export const createLiveDictation = (deps: LiveDictationDeps): LiveDictation => ({
  async begin(request) {
    const { styles, settings } = deps
    const {
      writingStyleId,
      appName,
      appId = null,
      appUrl = null,
      styleChoosesModel = true,
      language: requestedLanguage,
      model: name,
    } = request
    const app = { appName, appId, appUrl }
    const place = { ...app, writingStyleId, language: requestedLanguage, category: null }
    const usesStyleModel = name === null && styleChoosesModel
    const styleModel = usesStyleModel ? styles.match(place).style.sttModel : null
    const task = 'transcribe' as const
    const chosen = await chooseModel(deps, { model: name, styleModel, language: requestedLanguage, task })
    if (!chosen.ok) return chosen
    const { model, warnings } = chosen.value
    const { noSpeechThreshold, applyDictionary, ...set } = settings.current()
    const languages = request.languages ?? set.languages
    const applies = request.applyDictionary ?? applyDictionary
    const language = languageFor(model, requestedLanguage)
    const prompted = buildRequestPrompt(deps, request, { model, language, applies })
    const { prompt } = prompted
    const emitter = createEmitter(request, await scriptWriterOf(requestedLanguage))
    const writing = createUtteranceWriter(deps, { ...request, model: model.name, app }, emitter)
    const listening = { model, language, task, prompt, preferences: { languages, noSpeechThreshold } }
    const onSlow = () => emitter.warn([SLOWER_THAN_SPEECH])
    const live = deps.beginLive({
      ...listening,
      ...emitter.words,
      onSlow,
      signal: request.signal,
      utterances: writing,
    })
    const unknown = unknownLanguages(model, { requested: requestedLanguage, candidates: languages })
    emitter.warn([
      ...warnings,
      ...unknown,
      ...unwrittenSpelling(requestedLanguage),
      ...promptWarnings(prompted),
    ])
    return succeed({
      model: model.name,
      push: live.push,
      finish: live.finish,
      ended: live.ended.then(async (ended) => {
        await writing.done()
        return ended
      }),
    })
  },
})

/** Emits the events of one stream, none after its signal aborts. */
function createEmitter({ onEvent, signal }: LiveRequest, write: ScriptWriter | null) {
  const written = (text: string) => write?.(text) ?? text
  const warned = new Set<string>()
  let utterance = 0
  let hasWords = false
  const emit = (event: LiveEvent) => {
    if (!signal.aborted) onEvent(event)
  }
  return {
    emit,
    current: () => utterance,
    begin(atMs: number) {
      utterance++
      hasWords = false
      emit({ kind: 'speech_started', utterance, atMs })
    },
    /** each code once per stream */
    warn(warnings: readonly Warning[]) {
      for (const { code, message } of warnings) {
        if (warned.has(code)) continue
        warned.add(code)
        emit({ kind: 'warning', code, message })
      }
    },
    words: {
      onPartial: (text: string) => emit({ kind: 'partial', utterance, text: written(text) }),
      onConfirmed({ text: original, startMs, endMs }: { text: string; startMs: number; endMs: number }) {
        const text = written(original)
        emit({ kind: 'confirmed', utterance, text: hasWords ? text : text.trimStart(), startMs, endMs })
        hasWords = true
      },
    },
  }
}

type WritingRequest = Omit<LiveRequest, 'model'> & {
  model: string
  app: { appName: string | null; appId: string | null; appUrl: string | null }
}

/** Transcribes each utterance as its own recording; emits finals in order while the next one is transcribed. */
function createUtteranceWriter(
  deps: LiveDictationDeps,
  request: WritingRequest,
  { emit, begin, current, warn }: ReturnType<typeof createEmitter>,
) {
  let emitting = Promise.resolve()
  return {
    done: () => emitting,
    silenceMs: request.silenceMs ?? SILENCE_MS.usual,
    begins: (sample: number) => begin(toMs(sample)),
    ends: (sample: number) => emit({ kind: 'speech_stopped', utterance: current(), atMs: toMs(sample) }),
    async write(spoken: Utterance, signal: AbortSignal): Promise<Result<() => void, DictationFailure>> {
      const first = await transcribeUtterance(deps, request, { spoken, signal })
      const again = !first.ok && TRANSIENT.includes(first.failure.code) && !signal.aborted
      const result = again ? await transcribeUtterance(deps, request, { spoken, signal }) : first
      return result.ok ? succeed(() => final(current(), spoken, result.value)) : fail(result.failure)
    },
  }

  function final(utterance: number, spoken: Utterance, { transcript, used }: TranscribedUtterance) {
    deps.dictionary.noteUse(used)
    emitting = emitting.then(async () => {
      const { text, language, languageProbability, model, segments, warnings } = transcript
      const refined = await refine(deps, request, { text, language })
      warn([...warnings, ...(refined?.warnings ?? [])])
      const startMs = toMs(spoken.fromSample)
      emit({
        kind: 'final',
        utterance,
        startMs,
        endMs: toMs(spoken.toSample),
        text,
        refined,
        language,
        languageProbability,
        model,
        segments: segments.map((segment) => later(segment, startMs)),
      })
    })
  }
}

type TranscribedUtterance = { transcript: DictatedTranscript; used: readonly Applied[] }

/** Same as POST /transcribe with a file, which is deleted afterwards. */
async function transcribeUtterance(
  { dictation, folders }: LiveDictationDeps,
  { model, language, languages, prompt, keywords, applyDictionary, clipboard, tokens }: WritingRequest,
  { spoken, signal }: { spoken: Utterance; signal: AbortSignal },
): Promise<Result<TranscribedUtterance, DictationFailure>> {
  const path = join(folders.inbox, `${crypto.randomUUID()}${UNFINISHED_SUFFIX}`)
  try {
    await writeFloatWav(path, spoken.samples)
    let used: readonly Applied[] = []
    const result = await dictation.transcribe({
      path,
      kind: FLOAT_WAV,
      model,
      language,
      task: 'transcribe',
      prompt,
      applyDictionary,
      signal,
      ...(languages && { languages }),
      ...(tokens && { tokens }),
      ...(keywords && { keywords }),
      // Noted only with the final: the utterance may still continue.
      onUse: (entries) => {
        used = entries
      },
      ...(clipboard && { clipboard }),
    })
    return result.ok ? succeed({ transcript: result.value, used }) : result
  } finally {
    await rm(path, { force: true })
  }
}

async function refine(
  { refiner, settings }: LiveDictationDeps,
  { app, writingStyleId, language: requestedLanguage, refine: wanted, signal }: WritingRequest,
  { text, language }: { text: string; language: string | null },
) {
  if (text === '' || !(wanted ?? settings.current().autoRefine)) return null
  const own = { flags: null, useLlm: null, llmModel: null }
  return refiner.refine(text, {
    ...own,
    language: language ?? requestedLanguage,
    written: requestedLanguage,
    app,
    writingStyleId,
    signal,
  })
}

const toMs = (samples: number): number => Math.round((samples * 1000) / SAMPLE_RATE)

const later = <T extends Segment>(segment: T, byMs: number): T => ({
  ...segment,
  startMs: segment.startMs + byMs,
  endMs: segment.endMs + byMs,
  words: segment.words.map((word) => ({
    ...word,
    startMs: word.startMs + byMs,
    endMs: word.endMs + byMs,
  })),
})
