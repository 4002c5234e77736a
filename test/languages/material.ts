// The recordings of test/languages/speech, what was said in them and what native whisper.cpp writes for them.
// Knows nothing of the server; how texts are compared is written.ts.

import { join, resolve } from 'node:path'

export const spokenFolder = resolve(import.meta.dir, 'speech')
export const indexFile = join(spokenFolder, 'index.json')

export type Spoken = {
  /** in test/languages/speech */
  file: string
  language: string
  /** what was read; null where nobody wrote it down */
  text: string | null
  /** what native whisper.cpp writes for it by the same model, told the language (make-index.ts) */
  native: string
  seconds: number
  voice: 'human' | 'synthetic'
  source: string
  licence: string
  /** base takes it for another language unless it is told; for what does not depend on being heard well */
  told?: true
}

export const spoken: Spoken[] = await Bun.file(indexFile).json()

export const pathOf = ({ file }: Pick<Spoken, 'file'>): string => join(spokenFolder, file)

export const recognisable = spoken.filter(({ told }) => !told)

export const languagesSpoken = [...new Set(recognisable.map(({ language }) => language))]

export const spokenIn = (language: string): Spoken[] =>
  recognisable.filter((one) => one.language === language)

export const spokenOf = (file: string): Spoken => {
  const found = spoken.find((one) => one.file === file)
  if (found === undefined) throw new Error(`no ${file} in test/languages/speech/index.json`)
  return found
}
