// What the clients know: each call has an outcome, and each value that they change has the values that it may have at the
// end. A call without an answer may have been done.

export type Outcome = 'done' | 'refused' | 'unknown'

export type Call = {
  at: number
  ms: number
  server: string
  what: string
  outcome: Outcome
  /** 0: no answer */
  status: number
}

/** A value with one writer at a time. */
export type Register = {
  possible: Set<unknown>
  /** written by calls that were given up, which a stopped server may still carry out */
  late: Set<unknown>
}

export const newRegister = (value: unknown): Register => ({ possible: new Set([value]), late: new Set() })

export function noteWrite(register: Register, value: unknown, { outcome, isLate }: Answered): void {
  if (outcome === 'done') register.possible = new Set([value, ...register.late])
  if (outcome === 'unknown') register.possible.add(value)
  if (isLate) register.late.add(value)
}

export const mayBe = ({ possible }: Register, value: unknown): boolean =>
  possible.has(ANYTHING) || possible.has(value)

export const GONE = Symbol('gone')
/** before the first write */
export const ANYTHING = Symbol('anything')

/** How a recording is used, so that no client and no job replaces what another client writes. */
export const USES = ['edited', 'corrected', 'retranscribed'] as const

export type Recording = {
  id: string
  /** of its speech: recordings of the same one have the same text */
  speech: number
  sha256: string
  use: (typeof USES)[number]
  /** a client has seen its text */
  isReady: boolean
  /** by name of the field; of a deleted recording `life` is GONE */
  registers: Map<string, Register>
  retranscriptions: { done: number; unknown: number }
  /** fields that a client is changing; `life` with any other makes both uncertain */
  busy: Set<string>
}

export type Entry = { path: string; name: string; life: Register; value: Register; id: string | null }

export type History = {
  calls: Call[]
  recordings: Recording[]
  /** uploads without an answer */
  unknownUploads: number
  /** dictionary entries and writing styles */
  entries: Entry[]
  settings: Map<string, Register>
  /** answers that no client should get */
  faults: string[]
}

export type Answered = { outcome: Outcome; status: number; isLate: boolean; json: Json }

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
export type Json = any

/** A server that was stopped answers no sooner. */
const PATIENCE_MS = 12_000

/** One call of a client. */
export async function call(
  history: History,
  { name, url }: { name: string; url: string },
  [method, path, body]: [method: string, path: string, body?: object | FormData],
): Promise<Answered> {
  const at = performance.now()
  const what = `${method} ${path}`
  const note = (outcome: Outcome, status: number) =>
    history.calls.push({ at, ms: performance.now() - at, server: name, what, outcome, status })
  const isForm = body instanceof FormData
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    const { status } = response
    if (status === 500) history.faults.push(`${name}: ${what} returned 500: ${text}`)
    const outcome = status < 300 ? 'done' : status < 500 ? 'refused' : 'unknown'
    note(outcome, status)
    return { outcome, status, isLate: false, json: text === '' ? null : JSON.parse(text) }
  } catch (error) {
    note('unknown', 0)
    return { outcome: 'unknown', status: 0, isLate: (error as Error).name === 'TimeoutError', json: null }
  }
}
