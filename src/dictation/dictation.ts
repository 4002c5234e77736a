// A recording heard as its speaker wants it: with the preferred model, the words that were taught, and the dictionary
// applied to what was understood. How speech becomes text at all is src/transcription.

import type { AudioKind } from '../audio/audio-file.ts'
import type { ModelFile, Segment, Task } from '../engine/engine.ts'
import type { Result } from '../lib/result.ts'
import { succeed } from '../lib/result.ts'
import type { Settings } from '../settings/settings.ts'
import { joinTexts } from '../transcription/join-text.ts'
import type { Transcriber, TranscriptionRequest } from '../transcription/transcribe-recording.ts'
import type { Transcript } from '../transcription/transcript.ts'

export type DictationRequest = Pick<
  TranscriptionRequest,
  'signal' | 'onProgress' | 'onSegment' | 'onDecoded'
> & {
  path: string
  kind: AudioKind
  /** a name; null is the preferred one */
  model: string | null
  /** ISO 639-1; null is found out */
  language: string | null
  task: Task
  /** of this request alone; the settings' and the dictionary's come besides */
  prompt: string | null
  /** null is as the settings say */
  applyDictionary: boolean | null
}

/** What was said, with the dictionary applied to text and segments. */
export type Heard = Transcript & {
  /** untouched by the dictionary */
  engineText: string
  /** passages that the dictionary changed */
  corrections: number
}

/** The codes are those of the transcriber and of the model store. */
export type DictationFailure = { code: string; message: string }

export type Dictation = {
  hear(request: DictationRequest): Promise<Result<Heard, DictationFailure>>
}

/** How often an entry of the dictionary was applied. */
type Use = { id: string; count: number }
type Corrected = { segments: Segment[]; applied: Use[] }

/** What dictation needs of the dictionary, which is src/writing/dictionary.ts. */
export type TaughtWords = {
  prompt(options: { language: string | null; initialPrompt: string | null }): string | null
  applyToSegments(segments: Segment[], options: { language: string | null }): Corrected
  /** whether a text is nothing but what the recogniser was told */
  isEcho(text: string, prompt: string): boolean
  noteUse(applied: Use[]): void
}

export type DictationDeps = {
  models: { resolve(name: string | null): Promise<Result<ModelFile, DictationFailure>> }
  transcriber: Transcriber
  dictionary: TaughtWords
  settings: { current(): Settings }
}

export const createDictation = (deps: DictationDeps): Dictation => ({
  async hear(request) {
    const model = await deps.models.resolve(request.model)
    return model.ok ? hearWith(deps, request, model.value) : model
  },
})

async function hearWith(
  { transcriber, dictionary, settings }: DictationDeps,
  request: DictationRequest,
  model: ModelFile,
): Promise<Result<Heard, DictationFailure>> {
  const { initialPrompt, applyDictionary, languages, noSpeechThreshold, vadEnabled } = settings.current()
  const { applyDictionary: asked, onSegment, ...rest } = request
  const applies = asked ?? applyDictionary
  // A model that knows only English hears English, whatever it is asked for.
  const language = model.multilingual ? request.language : 'en'
  const said = joined([initialPrompt, request.prompt])
  const prompt = applies ? dictionary.prompt({ language, initialPrompt: said }) : said
  const correct = (segments: Segment[], spoken: string | null): Corrected =>
    applies ? dictionary.applyToSegments(segments, { language: spoken }) : { segments, applied: [] }

  const heard = await transcriber.transcribe({
    ...rest,
    ...{ model, language, prompt },
    preferences: { languages, noSpeechThreshold },
    detectSpeech: vadEnabled,
    // In the language that was asked for: what is spoken is known at the end, and a stream does not wait for it.
    ...(onSegment && { onSegment: (segment) => correct([segment], language).segments.forEach(onSegment) }),
  })
  if (!heard.ok) return heard
  const isEcho = prompt !== null && dictionary.isEcho(heard.value.text, prompt)
  const transcript = isEcho ? silent(heard.value) : heard.value
  const corrected = correct(transcript.segments, transcript.language ?? language)
  dictionary.noteUse(corrected.applied)
  return succeed(withCorrections(transcript, corrected))
}

const joined = (prompts: (string | null)[]): string | null => {
  const given = prompts.filter((prompt) => prompt !== null && prompt.trim() !== '')
  return given.length === 0 ? null : given.join(' ')
}

const withCorrections = (transcript: Transcript, { segments, applied }: Corrected): Heard => ({
  ...transcript,
  segments,
  text: applied.length === 0 ? transcript.text : joinTexts(segments.map(({ text }) => text)),
  engineText: transcript.text,
  corrections: applied.reduce((sum, { count }) => sum + count, 0),
})

/** A recogniser that hears nothing says what it was told. */
const silent = (transcript: Transcript): Transcript => ({ ...transcript, text: '', segments: [] })
