// Transcribes short recordings with a list of candidate languages, as a setting or in the request, and returns the
// detected language.

import { readLanguage } from '../../src/text/language-names.ts'
import type { RunningServer } from '../support/server.ts'
import type { SpokenPiece } from './pieces.ts'

/** Typical lists of speakers of two or three languages, some of them easily confused. */
export const CANDIDATES: Record<string, string[]> = {
  de: ['de', 'es'],
  es: ['de', 'es'],
  en: ['en', 'fr'],
  fr: ['en', 'fr'],
  pt: ['es', 'pt', 'en'],
}

/** `language` is the spoken one; `detected` is null if there is no text. */
export type Detection = { name: string; language: string; detected: string | null; candidates: string[] }

export const isOutside = ({ detected, candidates }: Detection): boolean =>
  detected !== null && !candidates.includes(detected)

type Server = Pick<RunningServer, 'url'>

export async function setCandidates({ url }: Server, languages: string[]): Promise<void> {
  const response = await fetch(`${url}/settings/captures`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ languages }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function detect(url: string, form: FormData): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', body: form })
  if (!response.ok) throw new Error(await response.text())
  const { text, language } = (await response.json()) as { text: string; language: string | null }
  if (text === '' || language === null) return null
  // OpenAI's form has names instead of codes.
  return readLanguage(language) ?? language
}

const detectionOf = (piece: SpokenPiece, detected: string | null): Detection => ({
  ...{ name: piece.file.name, language: piece.language, detected },
  candidates: CANDIDATES[piece.language]!,
})

/** With the candidates of the settings (setCandidates). */
export async function detectBySetting({ url }: Server, piece: SpokenPiece): Promise<Detection> {
  const form = new FormData()
  form.set('file', piece.file)
  return detectionOf(piece, await detect(`${url}/transcribe`, form))
}

/** With the candidates in the request. */
export async function detectByRequest({ url }: Server, piece: SpokenPiece): Promise<Detection> {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('response_format', 'verbose_json')
  for (const candidate of CANDIDATES[piece.language]!) form.append('languages[]', candidate)
  form.set('file', piece.file)
  return detectionOf(piece, await detect(`${url}/v1/audio/transcriptions`, form))
}
