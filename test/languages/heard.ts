// Recordings of test/languages/speech heard by a running server, as a client has them heard.
// What must come of it is for the tests to say.

import { baseModel } from '../support/ggml.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formWith } from '../support/speech.ts'

export type Heard = {
  text: string
  language: string | null
  language_probability: number | null
  duration: number
  segments: { start: number; end: number; text: string }[]
  warnings: { code: string; message: string }[]
}

/** Base hears, whatever this computer is: how fast it is, is not measured. */
export const startHearing = () => startServer({ env: { DICTATION_MODEL: baseModel.name } })

/** @throws what the server says of a request that it refuses */
export async function textOf(
  { url }: Pick<RunningServer, 'url'>,
  path: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const body = await formWith(path, fields)
  const response = await fetch(`${url}/transcribe`, { method: 'POST', body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

export const hear = async (
  server: Pick<RunningServer, 'url'>,
  path: string,
  fields: Record<string, string> = {},
): Promise<Heard> => JSON.parse(await textOf(server, path, fields))
