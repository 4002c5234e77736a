// The operations whose system calls fail: each has its subject, and the subject's state before and after.

import { wavHeaderOf } from '../../src/lib/wav.ts'
import { type FetchApi, GONE, type Key, sha256, textsOf, view } from '../support/kept-view.ts'
import { openLive, spokenIn } from '../support/live.ts'
import { recordingFile } from '../support/speech.ts'

/** The subject's state before and after; null for a new recording. */
export type Subject = { key: Key; before: string; after: string } | null

export type Operation = {
  name: string
  prepare(fetchApi: FetchApi, round: number): Promise<Subject>
  request(fetchApi: FetchApi, key: Key, round: number): Promise<Response>
  /**
   * Whether the received part of a recording is stored although the request failed: it may be if the client has a copy,
   * and must be if it has none.
   */
  keepsParts?: 'maybe' | 'always'
  /** of the stored audio; default: that of `recording` */
  hash?: string
  /** also in the short form */
  isShort?: true
  /** its subject is a long capture */
  isLong?: true
}

const SILENT = 'nothing-silence.flac'
const recording = await recordingFile(SILENT).bytes()
export const recordingHash = sha256(recording)

const spoken = await spokenIn(SILENT)
const asBytes = ({ buffer, byteOffset, byteLength }: Int16Array<ArrayBuffer>) =>
  new Uint8Array(buffer, byteOffset, byteLength)
/** Samples, a tenth of a second. */
const PIECE = 1600

/** @returns the end of a live session in the form of an HTTP response */
async function recordLive(fetchApi: FetchApi): Promise<Response> {
  const { url } = await fetchApi('/health')
  const socket = await openLive(new URL(url).origin, { query: { keep: 'true', language: 'en' } })
  for (let at = 0; at < spoken.length; at += PIECE) socket.send(spoken.subarray(at, at + PIECE))
  socket.stop()
  const { code } = await socket.closed
  const [error] = socket.of('error')
  if (error) return Response.json(error, { status: error.status })
  const [kept] = socket.of('kept')
  if (!kept) throw new Error(`closed with ${code}`)
  return Response.json({ id: kept.capture_id }, { status: 201 })
}

const JSON_TYPE = { 'content-type': 'application/json' }

const formOf = (): FormData => {
  const form = new FormData()
  form.set('file', new File([recording], SILENT))
  return form
}

const idOf = (key: Key) => key.slice('capture '.length)

async function newCapture(fetchApi: FetchApi): Promise<{ key: Key; before: string }> {
  const response = await fetchApi('/captures?wait=true', { method: 'POST', body: formOf() })
  const key = `capture ${((await response.json()) as { id: string }).id}`
  return { key, before: await view(fetchApi, key) }
}

type Captured = { id: string; segments: { text: string }[]; transcript_raw: string }

/** One of the long captures, the only ones with words. */
async function longCapture(
  fetchApi: FetchApi,
  round: number,
): Promise<{ key: Key; before: string; captured: Captured }> {
  const { items } = (await (await fetchApi('/captures?q=meeting&limit=100')).json()) as {
    items: { id: string }[]
  }
  const { id } = items[round % items.length]!
  const key = `capture ${id}`
  const captured = (await (await fetchApi(`/captures/${id}`)).json()) as Captured
  return { key, before: await view(fetchApi, key), captured }
}

const asCorrected = (round: number) => `It is round ${round}.`

const changed = (before: string, change: object): string =>
  JSON.stringify({ ...JSON.parse(before), ...change })

export const OPERATIONS: Operation[] = [
  {
    name: 'an upload',
    isShort: true,
    prepare: async () => null,
    request: (fetchApi) => fetchApi('/captures?wait=true', { method: 'POST', body: formOf() }),
  },
  {
    name: 'an upload that is the whole body',
    prepare: async () => null,
    request: (fetchApi) =>
      fetchApi('/captures?wait=true', {
        ...{ method: 'POST', headers: { 'content-type': 'audio/flac' }, body: recording },
      }),
    keepsParts: 'maybe',
  },
  {
    name: 'a live recording',
    isShort: true,
    prepare: async () => null,
    request: recordLive,
    keepsParts: 'always',
    hash: sha256(
      Buffer.concat([wavHeaderOf({ sample: 's16', rate: 16_000, dataBytes: null }), asBytes(spoken)]),
    ),
  },
  {
    name: 'an edit',
    isShort: true,
    async prepare(fetchApi, round) {
      const { key, before } = await newCapture(fetchApi)
      return { key, before, after: changed(before, { title: `round ${round}` }) }
    },
    request: (fetchApi, key, round) =>
      fetchApi(`/captures/${idOf(key)}`, {
        ...{ method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify({ title: `round ${round}` }) },
      }),
  },
  {
    name: 'a star on a long capture',
    isLong: true,
    async prepare(fetchApi, round) {
      const { key, before } = await longCapture(fetchApi, round)
      return { key, before, after: changed(before, { starred: round % 2 === 1 }) }
    },
    request: (fetchApi, key, round) =>
      fetchApi(`/captures/${idOf(key)}`, {
        method: 'PATCH',
        headers: JSON_TYPE,
        body: JSON.stringify({ starred: round % 2 === 1 }),
      }),
  },
  {
    name: 'a correction in a long capture',
    isLong: true,
    async prepare(fetchApi, round) {
      const { key, before, captured } = await longCapture(fetchApi, round)
      const [first, ...others] = captured.segments
      const text = asCorrected(round)
      const transcript = text + captured.transcript_raw.slice(first!.text.length)
      const after = changed(before, {
        transcript_raw: transcript,
        transcript_refined: transcript,
        segments: textsOf([{ text }, ...others]),
        versions: JSON.parse(before).versions + 1,
      })
      return { key, before, after }
    },
    request: (fetchApi, key, round) =>
      fetchApi(`/captures/${idOf(key)}/segments/0`, {
        method: 'PATCH',
        headers: JSON_TYPE,
        body: JSON.stringify({ text: asCorrected(round) }),
      }),
  },
  {
    name: 'a deletion',
    prepare: async (fetchApi) => ({ ...(await newCapture(fetchApi)), after: GONE }),
    request: (fetchApi, key) => fetchApi(`/captures/${idOf(key)}`, { method: 'DELETE' }),
  },
  {
    name: 'a change of settings',
    async prepare(fetchApi, round) {
      const before = await view(fetchApi, 'settings')
      return { key: 'settings', before, after: changed(before, { typing_wpm: 40 + (round % 100) }) }
    },
    request: (fetchApi, _key, round) =>
      fetchApi('/settings/captures', {
        method: 'PATCH',
        headers: JSON_TYPE,
        body: JSON.stringify({ typing_wpm: 40 + (round % 100) }),
      }),
  },
]
