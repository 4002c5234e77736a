// The fields that limit the captions of SRT and VTT.

import { type Static, Type } from '@sinclair/typebox'
import { type CaptionLimits, USUAL_LIMITS } from '../../transcription/captions.ts'
import { type strictObject, wholeNumber } from '../kernel/schema.ts'

const captionLimit = (description: string, minimum: number, maximum: number) =>
  Type.Optional(wholeNumber({ description, minimum, maximum }))

/** Without any of them, each segment is a caption; with some, the others have usual values. */
export const captionFields = {
  max_line_characters: captionLimit(
    'subtitles: the longest line; with any of these limits, the others are 42 characters, 2 lines and 7 seconds by default. Without them, each segment is a caption',
    10,
    200,
  ),
  max_lines: captionLimit('subtitles: lines of a caption', 1, 5),
  max_seconds: captionLimit('subtitles: the longest caption', 1, 60),
}

type WireLimits = Static<ReturnType<typeof strictObject<typeof captionFields>>>

export function captionLimitsOf({
  max_line_characters,
  max_lines,
  max_seconds,
}: Partial<WireLimits>): CaptionLimits | null {
  if ((max_line_characters ?? max_lines ?? max_seconds) === undefined) return null
  return {
    lineCharacters: max_line_characters ?? USUAL_LIMITS.lineCharacters,
    lines: max_lines ?? USUAL_LIMITS.lines,
    seconds: max_seconds ?? USUAL_LIMITS.seconds,
  }
}
