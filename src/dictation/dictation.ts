// A recording heard as its speaker wants it: with the preferred model, the words that were taught, and the dictionary
// applied to what was understood. How speech becomes text at all is src/transcription.

import type { AudioKind } from '../audio/audio-file.ts'
import type { Segment, Task } from '../engine/engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import { inSlices } from '../lib/slices.ts'
import { scriptWriterOf } from '../text/chinese-script.ts'
import { applyWarnings } from '../text/dictionary/apply-warnings.ts'
import type { Applied } from '../text/dictionary/entry.ts'
import { type AppliedSegments, appliedToSegments } from '../transcription/dictionary-edits.ts'
import { segmentInScript, transcriptInScript } from '../transcription/in-script.ts'
import type { Transcriber, TranscriptionRequest } from '../transcription/transcribe-recording.ts'
import type { Transcript } from '../transcription/transcript.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import { badlyWrittenWarnings } from './badly-written.ts'
import { type ChoosingDeps, type Chosen, chooseModel, type DictationFailure } from './choose-model.ts'
import { createEchoGuard } from './echo-guard.ts'
import { languageFor, unknownLanguages, unwrittenSpelling } from './known-languages.ts'
import { promptFrom, type TellingDeps, untoldOf } from './tell-recogniser.ts'

export type DictationRequest = Pick<
  TranscriptionRequest,
  'tokens' | 'signal' | 'detectSpeech' | 'excerpt' | 'onProgress' | 'onSegment' | 'onDecoded'
> & {
  path: string
  kind: AudioKind
  /** a name; null is the preferred one */
  model: string | null
  /** taken where no model is asked for, if it can be: the writing style's */
  wishedModel?: string | null
  /** ISO 639-1, with the script or the region that it is to be written in; null is found out */
  language: string | null
  /** what detection may choose from; as the settings say unless given */
  languages?: readonly string[]
  task: Task
  /** of this request alone; the settings' and the dictionary's come besides */
  prompt: string | null
  /** terms that are likely to be said, besides the dictionary's */
  keywords?: readonly string[]
  /** null is as the settings say */
  applyDictionary: boolean | null
  /** what `{{clipboard}}` stands for, asked for when there is a text; null and absent: not known */
  clipboard?: () => string | null
  /** told which entries of the dictionary were of use; unless given the dictionary is */
  onUse?: (entries: readonly Applied[]) => void
}

/** What was said, with the dictionary applied to text and segments. */
export type DictatedTranscript = Transcript & {
  /** untouched by the dictionary */
  engineText: string
  /** passages that the dictionary changed */
  corrections: number
}

export type Dictation = {
  transcribe(request: DictationRequest): Promise<Result<DictatedTranscript, DictationFailure>>
}

export type DictationDeps = ChoosingDeps &
  TellingDeps & {
    transcriber: Transcriber
    dictionary: Pick<TaughtDictionary, 'compiled' | 'noteUse'>
    clock: Clock
    log: Log
  }

export const createDictation = (deps: DictationDeps): Dictation => ({
  async transcribe(request) {
    const chosen = await chooseModel(deps, request)
    return chosen.ok ? hearWith(deps, request, chosen.value) : chosen
  },
})

async function hearWith(
  deps: DictationDeps,
  request: DictationRequest,
  { model, warnings: ofModel }: Chosen,
): Promise<Result<DictatedTranscript, DictationFailure>> {
  const { transcriber, dictionary, settings, log } = deps
  const { applyDictionary, noSpeechThreshold, vadEnabled, ...set } = settings.current()
  const {
    applyDictionary: asked,
    wishedModel: _chosen,
    keywords: _told,
    languages = set.languages,
    clipboard,
    onUse = dictionary.noteUse,
    onSegment,
    ...rest
  } = request
  const applies = asked ?? applyDictionary
  const language = languageFor(model, request.language)
  const write = request.task === 'transcribe' ? await scriptWriterOf(request.language) : null
  const told = await promptFrom(deps, request, { model, language, applies })
  const correct = async (segments: Segment[], spoken: string | null): Promise<Corrected> => {
    if (!applies) return { segments, text: '', applied: [], seen: [], missing: [], givenUp: [] }
    const surroundings = { language: spoken, now: deps.clock(), clipboard: clipboard?.() ?? null }
    return inSlices(appliedToSegments(await dictionary.compiled(), segments, surroundings))
  }

  let telling = Promise.resolve()
  const tell = (heard: Segment) => {
    const segment = write === null ? heard : segmentInScript(heard, write)
    // In the language that was asked for: what is spoken is known at the end, and a stream does not wait for it.
    telling = telling.then(async () => {
      for (const one of (await correct([segment], language)).segments) onSegment?.(one)
    })
  }
  const echoes = createEchoGuard(told)

  const heard = await transcriber.transcribe({
    ...rest,
    model,
    language,
    prompt: told.prompt,
    preferences: { languages, noSpeechThreshold },
    detectSpeech: request.detectSpeech ?? vadEnabled,
    ...(onSegment && { onSegment: (segment) => echoes.let(segment).forEach(tell) }),
  })
  if (!heard.ok) return heard
  const understood = echoes.isNothingBut(heard.value.segments) ? silent(heard.value) : heard.value
  const transcript = write === null ? understood : transcriptInScript(understood, write)
  await telling
  const corrected = await correct(transcript.segments, transcript.language ?? language)
  // A term that was recognised was of use, though nothing had to be changed.
  onUse([...corrected.applied, ...corrected.seen])
  const warnings = [
    ...ofModel,
    ...transcript.warnings,
    ...unknownLanguages(model, { asked: request.language, candidates: languages }),
    ...(request.task === 'transcribe' ? unwrittenSpelling(request.language) : []),
    ...(request.task === 'transcribe' ? badlyWrittenWarnings(transcript) : []),
    ...untoldOf(told),
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
