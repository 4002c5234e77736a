// Short recordings heard by a server that was told which languages may be spoken, as a setting or with each request.
// Counts in which they were heard; what may come of it is for the callers.

import { readLanguage } from '../../src/text/language-names.ts'
import type { RunningServer } from '../support/server.ts'
import type { SpokenPiece } from './pieces.ts'

/** What people set who speak two or three: among them such as are easily taken for each other. */
export const CANDIDATES: Record<string, string[]> = {
  de: ['de', 'es'],
  es: ['de', 'es'],
  en: ['en', 'fr'],
  fr: ['en', 'fr'],
  pt: ['es', 'pt', 'en'],
}

export type HeardIn = { name: string; language: string; heardIn: string | null; candidates: string[] }

export const isOutside = ({ heardIn, candidates }: HeardIn): boolean =>
  heardIn !== null && !candidates.includes(heardIn)

type Server = Pick<RunningServer, 'url'>

export async function setCandidates({ url }: Server, languages: string[]): Promise<void> {
  const response = await fetch(`${url}/settings/captures`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ languages }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function ask(url: string, form: FormData): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', body: form })
  if (!response.ok) throw new Error(await response.text())
  const { text, language } = (await response.json()) as { text: string; language: string | null }
  if (text === '' || language === null) return null
  // OpenAI's form has names in the place of codes.
  return readLanguage(language) ?? language
}

const heard = (piece: SpokenPiece, heardIn: string | null): HeardIn => ({
  ...{ name: piece.file.name, language: piece.language, heardIn },
  candidates: CANDIDATES[piece.language]!,
})

/** As the settings have them (setCandidates). */
export async function heardBySetting({ url }: Server, piece: SpokenPiece): Promise<HeardIn> {
  const form = new FormData()
  form.set('file', piece.file)
  return heard(piece, await ask(`${url}/transcribe`, form))
}

/** As a request names them. */
export async function heardByRequest({ url }: Server, piece: SpokenPiece): Promise<HeardIn> {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('response_format', 'verbose_json')
  for (const candidate of CANDIDATES[piece.language]!) form.append('languages[]', candidate)
  form.set('file', piece.file)
  return heard(piece, await ask(`${url}/v1/audio/transcriptions`, form))
}
