// The client of the crash harness: uploads in every way, retranscribes, and records what was acknowledged.
// A connection that a kill cut acknowledges nothing.

import { sha256 } from '../support/kept-view.ts'
import { recordingFile } from '../support/speech.ts'

export type Witnessed = {
  sha256: string
  /** retranscriptions that the server acknowledged, and all that were requested */
  acknowledged: number
  requested: number
}
/** By capture id. */
export type Witness = Map<string, Witnessed>

export const WAYS = ['form', 'form_no_wait', 'raw', 'raw_no_wait', 'raw_in_pieces'] as const
export type Way = (typeof WAYS)[number]

const RAW = { 'content-type': 'audio/flac' }

export async function upload(url: string, recording: string, way: Way, witness: Witness): Promise<void> {
  const file = recordingFile(recording)
  const bytes = await file.arrayBuffer()
  const form = new FormData()
  form.set('file', new File([bytes], recording))
  const bodies: Record<Way, RequestInit> = {
    ...{ form: { body: form }, form_no_wait: { body: form } },
    ...{ raw: { body: bytes, headers: RAW }, raw_no_wait: { body: bytes, headers: RAW } },
    raw_in_pieces: { body: file.stream(), headers: RAW },
  }
  try {
    const query = way.endsWith('no_wait') ? '?wait=false' : '?wait=true'
    const response = await fetch(`${url}/captures${query}`, { method: 'POST', ...bodies[way] })
    const { id } = (await response.json()) as { id: string }
    if (response.ok) witness.set(id, { sha256: sha256(bytes), acknowledged: 0, requested: 0 })
  } catch {
    // The server died during the upload: nothing was acknowledged.
  }
}

/** Retranscribes the oldest capture without one. A request for a running capture fails, and still counts as requested. */
export async function retranscribeOne(url: string, witness: Witness): Promise<void> {
  const [id, one] = [...witness].find(([, { requested }]) => requested === 0) ?? []
  if (id === undefined || one === undefined) return
  one.requested++
  try {
    const response = await fetch(`${url}/captures/${id}/retranscribe?wait=false`, { method: 'POST' })
    if (response.ok) one.acknowledged++
  } catch {
    // As above: the server died.
  }
}
