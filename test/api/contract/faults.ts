// Reads the errors in a response in each of the three formats: problem details, OpenAI's, whisper.cpp's.

import { expect } from 'bun:test'
import type { Received } from './client.ts'

/** The stable code of a refusal. */
export const codeOf = ({ json }: Pick<Received, 'json'>): string | undefined =>
  json?.error?.code ?? json?.code

/** Expects a 422 that names the field or a part of it. */
export function expectFault(received: Received, place: string, path: string, what: string): void {
  expect([received.status, codeOf(received)], `${what}: ${received.text.slice(0, 300)}`).toEqual([
    422,
    'invalid_request',
  ])
  const { json } = received
  // whisper.cpp's format contains only a message.
  if (typeof json.error === 'string') {
    expect(json.error, what).toContain(path.slice(1))
    return
  }
  // OpenAI's format names one field, without the part of the request.
  const places: string[] = json.error
    ? [`${place} /${json.error.param ?? ''}`]
    : json.errors.map((fault: Record<string, string>) => `${fault.in} ${fault.path}`)
  const isNamed = (one: string) =>
    one === `${place} ${path}` || (path !== '' && one.startsWith(`${place} ${path}/`))
  expect(places.some(isNamed), `${what}: ${places} should name ${place} ${path}`).toBe(true)
}
