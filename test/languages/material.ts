// The recordings of test/languages/speech, with reference texts and native whisper.cpp's transcripts.

import { join, resolve } from 'node:path'

export const spokenFolder = resolve(import.meta.dir, 'speech')
export const indexFile = join(spokenFolder, 'index.json')

export type Spoken = {
  /** in test/languages/speech */
  file: string
  language: string
  /** the reference text; null if there is none */
  text: string | null
  /** native whisper.cpp's text with the same model and the given language (make-index.ts) */
  native: string
  seconds: number
  voice: 'human' | 'synthetic'
  source: string
  licence: string
  /** base detects another language; only for tests that do not depend on accuracy */
  needsLanguage?: true
}

export const spoken: Spoken[] = await Bun.file(indexFile).json()

export const pathOf = ({ file }: Pick<Spoken, 'file'>): string => join(spokenFolder, file)

export const recognizable = spoken.filter(({ needsLanguage }) => !needsLanguage)

export const languagesSpoken = [...new Set(recognizable.map(({ language }) => language))]

export const spokenIn = (language: string): Spoken[] =>
  recognizable.filter((one) => one.language === language)

export const spokenOf = (file: string): Spoken => {
  const found = spoken.find((one) => one.file === file)
  if (found === undefined) throw new Error(`no ${file} in test/languages/speech/index.json`)
  return found
}
