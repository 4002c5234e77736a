// Transcribes at most 30 s of audio piece by piece, each starting where the previous one ended.

import { SAMPLE_RATE, type Segment, type Task, type WindowPart, type WindowTranscript } from '../../engine.ts'
import { createYield } from '../yield.ts'
import {
  createAudioContext,
  type DecodedSegment,
  decodeSegment,
  type TranscriptionContext,
  type WindowModel,
} from './decode-segment.ts'
import { DEFAULT_STRATEGY, type Strategy } from './fallback.ts'
import { spokenLanguage } from './language.ts'
import { previousOf } from './prompt.ts'
import { type Repetition, removeRepeated } from './repeated-words.ts'
import { countedTokens, type TokenSpan, tokenSpans, trimmedFrames } from './segments.ts'
import { FRAMES_PER_SECOND, MIN_FRAMES, PIECE_FRAMES, SAMPLES_PER_FRAME } from './sequence.ts'
import { beginningsOf, segmentsOf, type TimesOptions } from './timing.ts'

export type SamplesRequest = {
  /** 16 kHz */
  sampleCount: number
  /** null to detect it; a language that the model does not know is detected, too. Ignored by English-only models */
  language: string | null
  /** the parts between pauses; if they are clearly in more than one language, no text is decoded */
  parts?: readonly WindowPart[] | undefined
  /** the languages detection chooses from; empty means all languages of the model */
  languages?: readonly string[] | undefined
  task: Task
  prompt: string | null
  /** the text before the samples; its end follows the prompt */
  previousText?: string | undefined
  signal: AbortSignal
  /** return the tokens of each word */
  tokens?: boolean | undefined
  /** false: each word gets the end time of its segment, except in windows of several pieces, which need word times */
  wordTimes?: boolean | undefined
  strategy?: Partial<Strategy>
  /** false: use the full window for short clips, too */
  trim?: boolean
  onProgress?: ((fraction: number) => void) | undefined
  onSegment?: ((segment: Segment) => void) | undefined
  /** each piece with its tokens, for comparisons of engines */
  onPiece?: ((piece: DecodedSegment) => void) | undefined
}

/** Previous text misleads the decoder for a rest of 5 s or less. */
const SHORT_REST_FRAMES = 500

/** The minimum progress per piece, which guarantees termination. */
const MIN_ADVANCE = 10

/** Shorter clips are padded with silence. */
const MIN_CLIP_FRAMES = MIN_FRAMES + 10

/** Frames whose mel spectrogram contains audio. */
const framesOf = (sampleCount: number) =>
  Math.max(MIN_CLIP_FRAMES, Math.floor((sampleCount - 200) / SAMPLES_PER_FRAME) + 1)

/**
 * Advances to the last timestamp, even a lone one: it claims that no speech follows, often wrongly. A silent window is
 * skipped whole.
 */
const advanceOf = ({ silent, sequence }: DecodedSegment) =>
  silent ? PIECE_FRAMES : Math.max(sequence.reach, MIN_ADVANCE)

/** The next piece's previous text: that of this piece, then its tokens unless it is silent. */
const previousAfter = (piece: DecodedSegment) => [
  ...piece.prompt.untilStart.slice(1, -1),
  ...(piece.silent ? [] : countedTokens(piece).map(({ id }) => id)),
]

const createProgress = (onProgress: SamplesRequest['onProgress'], endFrame: number) => {
  let furthest = 0
  return (frame: number) => {
    const fraction = Math.min(frame / endFrame, 1)
    if (fraction <= furthest) return
    furthest = fraction
    onProgress?.(fraction)
  }
}

/** The last segment of a piece, whose end time only the next piece confirms. */
type HeldBack = { piece: DecodedSegment; span: TokenSpan; times: TimesOptions }

const segmentOfHeld = ({ piece, span, times }: HeldBack, endFrame: number | null): Segment => {
  const toFrame = endFrame === null ? span.toFrame : Math.max(span.toFrame, endFrame - times.fromFrame)
  return segmentsOf(piece, [{ ...span, toFrame }], times)[0]!
}

/**
 * Deterministic: the same samples emit the same text. A WindowModel serves one call at a time.
 * @throws the signal's reason when aborted, within a token
 */
export const transcribeSamples = async (
  windowModel: WindowModel,
  request: SamplesRequest,
): Promise<WindowTranscript> => {
  const { model, decoder } = windowModel
  const { sampleCount, task, prompt, tokens, signal } = request
  const yieldNow = createYield(signal)
  const context: TranscriptionContext = { windowModel, audio: createAudioContext(windowModel), yieldNow }
  signal.throwIfAborted()
  if (sampleCount === 0) {
    return { language: request.language ?? 'en', languageProbability: null, segments: [] }
  }
  const trimmedFor = (seconds: number) =>
    request.trim === false ? null : trimmedFrames(model.shape, seconds)
  const endFrame = framesOf(sampleCount)
  const progressTo = createProgress(request.onProgress, endFrame)
  const spoken = await spokenLanguage(context, request, trimmedFor(sampleCount / SAMPLE_RATE), (share) =>
    progressTo(share * endFrame),
  )
  const { token, ...detected } = spoken
  if (spoken.languages) return { ...detected, segments: [] }
  const strategy = { ...DEFAULT_STRATEGY, ...request.strategy }
  const durationMs = Math.round((1000 * sampleCount) / SAMPLE_RATE)
  const segments: Segment[] = []
  const emit = (segment: Segment) => {
    segments.push(segment)
    request.onSegment?.(segment)
  }
  const isLeft = (frame: number) => frame + MIN_FRAMES < endFrame
  let held: HeldBack | null = null
  let previous = previousOf(model, { prompt, before: request.previousText ?? null })
  let fromFrame = 0
  while (isLeft(fromFrame)) {
    const start = fromFrame
    const restFrames = endFrame - start
    const piece = await decodeSegment(context, {
      fromFrame: start,
      restFrames,
      previous: start > 0 && restFrames <= SHORT_REST_FRAMES ? [] : previous,
      language: token,
      task,
      strategy,
      trimmedFrames: trimmedFor(restFrames / FRAMES_PER_SECOND),
      onReach: (frames) => progressTo(start + frames),
    })
    const spans = tokenSpans(piece, model.tokens)
    const next = start + advanceOf(piece)
    // Word times identify the words that two pieces both contain.
    const isOnly = held === null && !isLeft(next)
    const isTimed = spans.length > 0 && (request.wordTimes !== false || !isOnly)
    const beginnings: number[] = isTimed ? await beginningsOf(piece, { decoder, yieldNow, restFrames }) : []
    const times: TimesOptions = {
      tokenizer: model.tokenizer,
      beginnings,
      fromFrame: start,
      durationMs,
      tokens,
    }
    const own: Repetition =
      held === null ? { spans, endFrame: null } : removeRepeated(held, { spans, times }, start)
    if (held !== null) emit(segmentOfHeld(held, own.endFrame))
    const last: TokenSpan | undefined = own.spans.at(-1)
    held = last === undefined ? null : { piece, span: last, times }
    for (const segment of segmentsOf(piece, own.spans.slice(0, -1), times)) emit(segment)
    request.onPiece?.(piece)
    previous = previousAfter(piece)
    fromFrame = next
    progressTo(fromFrame)
  }
  if (held !== null) emit(segmentOfHeld(held, null))
  progressTo(endFrame)
  return { ...detected, segments }
}
