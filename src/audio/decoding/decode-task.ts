// What the parent asks of a decoder process.
// Imports nothing: the parent reads it too, and must not load the decoders.

export type DecodeTask = {
  /** the recording */
  path: string
  /** AudioKind's format */
  format: string
  /** where the samples go; a second attempt uses the same name with an ending */
  outputPath: string
  maxAudioSeconds: number
  /** reserved for its samples; a recording that says it needs more is not begun */
  roomBytes: number
  /** false plays an installation without the optional package */
  optionalDecoder: boolean
}

/** Where the second attempt writes. */
export const secondPath = (outputPath: string): string => `${outputPath}.second`

/** Where a track is written that may not be the one. */
export const trialPath = (outputPath: string): string => `${outputPath}.trial`

/** All that a task may leave behind. */
export const pathsOf = ({ outputPath }: Pick<DecodeTask, 'outputPath'>): string[] =>
  [outputPath, secondPath(outputPath)].flatMap((path) => [path, trialPath(path)])
