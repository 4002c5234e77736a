import { baseModel } from '../support/ggml.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formWith } from '../support/speech.ts'

export type Transcript = {
  text: string
  language: string | null
  language_probability: number | null
  duration: number
  segments: { start: number; end: number; text: string }[]
  warnings: { code: string; message: string }[]
}

/** A server with base, so that the choice of model does not depend on the computer's speed. */
export const startBaseServer = () => startServer({ env: { DICTATION_MODEL: baseModel.name } })

/** @throws the server's error */
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

export const transcribe = async (
  server: Pick<RunningServer, 'url'>,
  path: string,
  fields: Record<string, string> = {},
): Promise<Transcript> => JSON.parse(await textOf(server, path, fields))
