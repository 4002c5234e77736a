// The message that starts a decode in a decoder process. Its parent imports this file and must not load the decoders,
// so it imports nothing.

export type DecodeTask = {
  /** the recording */
  path: string
  /** AudioKind's format */
  format: string
  /** output file; a second attempt appends a suffix to the name */
  outputPath: string
  maxAudioSeconds: number
  /** space reserved for the samples; a recording that declares more is not decoded */
  reservedBytes: number
  /** false simulates an installation without the optional package */
  optionalDecoder: boolean
}

/** Output of the second attempt. */
export const secondPath = (outputPath: string): string => `${outputPath}.second`

/** Output of a track that may be rejected. */
export const trialPath = (outputPath: string): string => `${outputPath}.trial`

/** All files that a task may leave behind. */
export const pathsOf = ({ outputPath }: Pick<DecodeTask, 'outputPath'>): string[] =>
  [outputPath, secondPath(outputPath)].flatMap((path) => [path, trialPath(path)])
