// What an answer says is wrong, in whichever of the shapes it says it: problem details, OpenAI's, or whisper.cpp's.
// Whether it has that shape, client.ts sees.

import { expect } from 'bun:test'
import type { Received } from './client.ts'

/** The stable word of a refusal. */
export const codeOf = ({ json }: Pick<Received, 'json'>): string | undefined =>
  json?.error?.code ?? json?.code

/** Refused as 422, and the place is named, or one inside of it. */
export function expectFault(received: Received, place: string, path: string, what: string): void {
  expect([received.status, codeOf(received)], `${what}: ${received.text.slice(0, 300)}`).toEqual([
    422,
    'invalid_request',
  ])
  const { json } = received
  // whisper.cpp's shape has a sentence and nothing else.
  if (typeof json.error === 'string') {
    expect(json.error, what).toContain(path.slice(1))
    return
  }
  // OpenAI's shape has room for one field, and none for the part of the request.
  const places: string[] = json.error
    ? [`${place} /${json.error.param ?? ''}`]
    : json.errors.map((fault: Record<string, string>) => `${fault.in} ${fault.path}`)
  const isNamed = (one: string) =>
    one === `${place} ${path}` || (path !== '' && one.startsWith(`${place} ${path}/`))
  expect(places.some(isNamed), `${what}: ${places} should name ${place} ${path}`).toBe(true)
}
