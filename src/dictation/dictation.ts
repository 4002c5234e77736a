// A recording heard as its speaker wants it: with the preferred model, the words that were taught, and the dictionary
// applied to what was understood. How speech becomes text at all is src/transcription.

import type { AudioKind } from '../audio/audio-file.ts'
import type { ModelFile, Segment, Task } from '../engine/engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import { inSlices } from '../lib/slices.ts'
import type { Warning } from '../lib/warning.ts'
import type { Needs } from '../models/model-choice.ts'
import type { Settings } from '../settings/settings.ts'
import { type DictionaryPrompt, dictionaryPrompt, MAX_PROMPT_TOKENS } from '../text/dictionary/prompt.ts'
import { unheededIn } from '../text/dictionary/unheeded.ts'
import { type AppliedSegments, appliedToSegments } from '../transcription/dictionary-edits.ts'
import type { Transcriber, TranscriptionRequest } from '../transcription/transcribe-recording.ts'
import type { Transcript } from '../transcription/transcript.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import type { TokenCounters } from '../writing/token-counter.ts'
import { badlyWrittenWarnings } from './badly-written.ts'
import { createEchoGuard } from './echo-guard.ts'
import { languageFor, needsOf, unknownLanguages } from './known-languages.ts'

export type DictationRequest = Pick<
  TranscriptionRequest,
  'tokens' | 'signal' | 'onProgress' | 'onSegment' | 'onDecoded'
> & {
  path: string
  kind: AudioKind
  /** a name; null is the preferred one */
  model: string | null
  /** taken where no model is asked for, if it can be: the writing style's */
  wishedModel?: string | null
  /** ISO 639-1; null is found out */
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
}

/** What was said, with the dictionary applied to text and segments. */
export type DictatedTranscript = Transcript & {
  /** untouched by the dictionary */
  engineText: string
  /** passages that the dictionary changed */
  corrections: number
  /** what was asked for and could not be done, by the settings too */
  warnings: Warning[]
}

/** The codes are those of the transcriber and of the model store. */
export type DictationFailure = { code: string; message: string }

export type Dictation = {
  transcribe(request: DictationRequest): Promise<Result<DictatedTranscript, DictationFailure>>
}

export type DictationDeps = {
  models: { resolve(name: string | null, needs?: Needs): Promise<Result<HearingModel, DictationFailure>> }
  transcriber: Transcriber
  dictionary: Pick<TaughtDictionary, 'compiled' | 'prompt' | 'noteUse'>
  /** of the vocabulary of a model */
  tokenCounters: TokenCounters
  clock: Clock
  settings: { current(): Settings }
  log: Log
}

type HearingModel = ModelFile & { knowsCantonese?: boolean }

export const createDictation = (deps: DictationDeps): Dictation => ({
  async transcribe(request) {
    const chosen = await chooseModel(deps, request)
    return chosen.ok ? hearWith(deps, request, chosen.value) : chosen
  },
})

type Chosen = { model: HearingModel; warnings: Warning[] }

/** A model that is asked for must be there; the writing style and the settings only wish for theirs. */
async function chooseModel(
  { models, settings }: DictationDeps,
  { model: name, wishedModel = null, language, task }: DictationRequest,
): Promise<Result<Chosen, DictationFailure>> {
  const wishes = name === null ? [wishedModel, settings.current().sttModel] : []
  let missed: DictationFailure | null = null
  for (const wish of wishes.filter((one) => one !== null)) {
    const wished = await models.resolve(wish)
    if (wished.ok) return succeed({ model: wished.value, warnings: insteadOf(missed, wished.value) })
    missed ??= wished.failure
  }
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) return model
  return succeed({ model: model.value, warnings: insteadOf(missed, model.value) })
}

const insteadOf = (missed: DictationFailure | null, { name }: HearingModel): Warning[] =>
  missed === null ? [] : [{ code: missed.code, message: `${missed.message} This was heard with ${name}.` }]

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
    onSegment,
    ...rest
  } = request
  const applies = asked ?? applyDictionary
  const language = languageFor(model, request.language)
  const told = await promptFrom(deps, request, { model, language, applies })
  const correct = async (segments: Segment[], spoken: string | null): Promise<Corrected> => {
    if (!applies) return { segments, text: '', applied: [], seen: [], missing: [], givenUp: [] }
    const surroundings = { language: spoken, now: deps.clock(), clipboard: clipboard?.() ?? null }
    return inSlices(appliedToSegments(await dictionary.compiled(), segments, surroundings))
  }

  let telling = Promise.resolve()
  const tell = (segment: Segment) => {
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
    detectSpeech: vadEnabled,
    ...(onSegment && { onSegment: (segment) => echoes.let(segment).forEach(tell) }),
  })
  if (!heard.ok) return heard
  const transcript = echoes.isNothingBut(heard.value.segments) ? silent(heard.value) : heard.value
  await telling
  const corrected = await correct(transcript.segments, transcript.language ?? language)
  // A term that was recognised was of use, though nothing had to be changed.
  dictionary.noteUse([...corrected.applied, ...corrected.seen])
  const warnings = [
    ...ofModel,
    ...unknownLanguages(model, { asked: request.language, candidates: languages }),
    ...(request.task === 'transcribe' ? badlyWrittenWarnings(transcript) : []),
    ...untoldOf(told),
    ...unheededIn(corrected),
  ]
  for (const { code, message } of warnings) log.warn({ code }, message)
  return succeed({ ...withCorrections(transcript, corrected), warnings })
}

type Corrected = AppliedSegments

/** Where the dictionary does not apply its terms are not told either. */
function promptFrom(
  { dictionary, settings, tokenCounters }: DictationDeps,
  { prompt, keywords = [] }: DictationRequest,
  { model, language, applies }: { model: ModelFile; language: string | null; applies: boolean },
): Promise<DictionaryPrompt> {
  const initialPrompt = joined([settings.current().initialPrompt, prompt])
  const countTokens = tokenCounters(model)
  return applies
    ? dictionary.prompt({ language, initialPrompt, keywords, countTokens })
    : inSlices(dictionaryPrompt({ entries: [], keywords, language, texts: [initialPrompt], countTokens }))
}

/** What found no room in what Whisper can be told. Terms of the dictionary are ranked, and told of where they are kept. */
function untoldOf({ shortened, droppedKeywords }: DictionaryPrompt): Warning[] {
  const warnings: Warning[] = []
  if (shortened) {
    const message = `The prompt is longer than the ${MAX_PROMPT_TOKENS} tokens that Whisper takes; its beginning was left out.`
    warnings.push({ code: 'prompt_shortened', message })
  }
  if (droppedKeywords.length > 0) {
    const message = `${droppedKeywords.length} of the keywords found no room in what Whisper can be told.`
    warnings.push({ code: 'keywords_dropped', message })
  }
  return warnings
}

const silent = (transcript: Transcript): Transcript => ({ ...transcript, text: '', segments: [] })

const joined = (prompts: (string | null)[]): string | null => {
  const given = prompts.filter((prompt) => prompt !== null && prompt.trim() !== '')
  return given.length === 0 ? null : given.join(' ')
}

const withCorrections = (transcript: Transcript, { segments, text, applied }: Corrected) => ({
  ...transcript,
  segments,
  text: applied.length === 0 ? transcript.text : text,
  engineText: transcript.text,
  corrections: applied.reduce((sum, { count }) => sum + count, 0),
})
