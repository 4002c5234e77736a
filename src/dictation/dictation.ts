// Transcribes a recording with the user's settings: preferred model, prompt, dictionary. The pipeline is src/transcription.

import type { AudioKind } from '../audio/audio-file.ts'
import type { Segment, Task } from '../engine/engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import { scriptWriterOf } from '../text/chinese-script.ts'
import { applyWarnings } from '../text/dictionary/apply.ts'
import type { Applied } from '../text/dictionary/entry.ts'
import { type AppliedSegments, appliedToSegments } from '../transcription/segment-edits.ts'
import type { Transcriber, TranscriptionRequest } from '../transcription/transcribe-recording.ts'
import { segmentInScript, type Transcript, transcriptInScript } from '../transcription/transcript.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import {
  accuracyWarnings,
  type ChoosingDeps,
  type Chosen,
  chooseModel,
  type DictationFailure,
  languageFor,
  unknownLanguages,
  unwrittenSpelling,
} from './choose-model.ts'
import { buildRequestPrompt, createPromptLeakFilter, type PromptDeps, promptWarnings } from './prompt.ts'

export type DictationRequest = Pick<
  TranscriptionRequest,
  'tokens' | 'signal' | 'detectSpeech' | 'excerpt' | 'onProgress' | 'onSegment' | 'onDecoded'
> & {
  path: string
  kind: AudioKind
  /** null: the preferred one */
  model: string | null
  /** the writing style's model: used if the request names none and it is available */
  styleModel?: string | null
  /** ISO 639-1, optionally with the script or region to write; null: detected */
  language: string | null
  /** candidates for language detection; default: the settings' */
  languages?: readonly string[]
  task: Task
  /** of this request; added to the settings' and the dictionary's */
  prompt: string | null
  /** expected terms, in addition to the dictionary's */
  keywords?: readonly string[]
  /** null: as the settings say */
  applyDictionary: boolean | null
  /** value of `{{clipboard}}`, read once there is a text; null or absent: unknown */
  clipboard?: () => string | null
  /** receives the dictionary entries that matched; default: the dictionary's `noteUse` */
  onUse?: (entries: readonly Applied[]) => void
}

/** A transcript with the dictionary applied to text and segments. */
export type DictatedTranscript = Transcript & {
  /** without the dictionary's changes */
  engineText: string
  /** number of passages that the dictionary changed */
  corrections: number
}

export type Dictation = {
  transcribe(request: DictationRequest): Promise<Result<DictatedTranscript, DictationFailure>>
}

export type DictationDeps = ChoosingDeps &
  PromptDeps & {
    transcriber: Transcriber
    dictionary: Pick<TaughtDictionary, 'compiled' | 'noteUse'>
    clock: Clock
    log: Log
  }

export const createDictation = (deps: DictationDeps): Dictation => ({
  async transcribe(request) {
    const chosen = await chooseModel(deps, request)
    return chosen.ok ? transcribeWith(deps, request, chosen.value) : chosen
  },
})

async function transcribeWith(
  deps: DictationDeps,
  request: DictationRequest,
  { model, warnings: ofModel }: Chosen,
): Promise<Result<DictatedTranscript, DictationFailure>> {
  const { transcriber, dictionary, settings, log } = deps
  const { applyDictionary, noSpeechThreshold, vadEnabled, ...set } = settings.current()
  const {
    applyDictionary: requested,
    styleModel: _chosen,
    keywords: _keywords,
    languages = set.languages,
    clipboard,
    onUse = dictionary.noteUse,
    onSegment,
    ...rest
  } = request
  const applies = requested ?? applyDictionary
  const language = languageFor(model, request.language)
  const write = request.task === 'transcribe' ? await scriptWriterOf(request.language) : null
  const prompted = buildRequestPrompt(deps, request, { model, language, applies })
  const correct = async (segments: Segment[], spoken: string | null): Promise<Corrected> => {
    if (!applies) return { segments, text: '', applied: [], seen: [], missing: [], givenUp: [] }
    const surroundings = { language: spoken, now: deps.clock(), clipboard: clipboard?.() ?? null }
    return appliedToSegments(await dictionary.compiled(), segments, surroundings)
  }

  let emitting = Promise.resolve()
  const emit = (original: Segment) => {
    const segment = write === null ? original : segmentInScript(original, write)
    // Uses the requested language: the spoken one is known only at the end, and segments stream before that.
    emitting = emitting.then(async () => {
      for (const one of (await correct([segment], language)).segments) onSegment?.(one)
    })
  }
  const leakFilter = createPromptLeakFilter(prompted)

  const result = await transcriber.transcribe({
    ...rest,
    model,
    language,
    prompt: prompted.prompt,
    preferences: { languages, noSpeechThreshold },
    detectSpeech: request.detectSpeech ?? vadEnabled,
    ...(onSegment && { onSegment: (segment) => leakFilter.release(segment).forEach(emit) }),
  })
  if (!result.ok) return result
  const understood = leakFilter.isLeak(result.value.segments) ? silent(result.value) : result.value
  const transcript = write === null ? understood : transcriptInScript(understood, write)
  await emitting
  const corrected = await correct(transcript.segments, transcript.language ?? language)
  // A term that the recogniser got right counts as used.
  onUse([...corrected.applied, ...corrected.seen])
  const warnings = [
    ...ofModel,
    ...transcript.warnings,
    ...unknownLanguages(model, { requested: request.language, candidates: languages }),
    ...(request.task === 'transcribe' ? unwrittenSpelling(request.language) : []),
    ...(request.task === 'transcribe' ? accuracyWarnings(transcript) : []),
    ...promptWarnings(prompted),
    ...applyWarnings(corrected),
  ]
  for (const { code, message } of warnings) log.warn({ code }, message)
  return succeed({ ...withCorrections(transcript, corrected), warnings })
}

type Corrected = AppliedSegments

const silent = (transcript: Transcript): Transcript => ({ ...transcript, text: '', segments: [] })

const withCorrections = (transcript: Transcript, { segments, text, applied }: Corrected) => ({
  ...transcript,
  segments,
  text: applied.length === 0 ? transcript.text : text,
  engineText: transcript.text,
  corrections: applied.reduce((sum, { count }) => sum + count, 0),
})
