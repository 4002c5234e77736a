// Uploads captures while worker processes are killed, and checks them at the end.

import { withoutAudio } from '../support/kept-view.ts'
import type { RunningServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'

export type Uploaded = { id: string; recording: string; sha256: string }

/** Decoded by our own decoders, or by FFmpeg only; with several windows, or silent. */
export const RECORDINGS = [
  'short-01.flac',
  'containers/wma.wma',
  'human-1.flac',
  'formats/m4a-aac.m4a',
  'nothing-silence.flac',
  'short-09.flac',
] as const

const sha256 = (bytes: ArrayBuffer) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

export async function upload({ url }: RunningServer, recording: string): Promise<Uploaded> {
  const bytes = await recordingFile(recording).arrayBuffer()
  const form = new FormData()
  form.set('file', new File([bytes], recording.split('/').at(-1)!))
  const response = await fetch(`${url}/captures?wait=false`, { method: 'POST', body: form })
  if (response.status !== 202) throw new Error(`${recording}: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  return { id, recording, sha256: sha256(bytes) }
}

export async function countUnfinished({ url }: RunningServer): Promise<number> {
  const counts = ['waiting', 'active'].map(async (state) => {
    const response = await fetch(`${url}/jobs?state=${state}&limit=1`)
    return ((await response.json()) as { total: number }).total
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

type Outcome = { status: string; transcript_raw: string; error: { code: string; message: string } | null }

/** @returns a message for each fault, after all jobs have ended */
export async function faultsOf({ url }: RunningServer, uploaded: Uploaded[]): Promise<string[]> {
  const faults = await withoutAudio((path, init) => fetch(url + path, init))
  for (const { id, recording, sha256: hash } of uploaded) {
    const response = await fetch(`${url}/captures/${id}`)
    if (!response.ok) {
      faults.push(`${recording} ${id} is lost: ${response.status}`)
      continue
    }
    const { status, transcript_raw: text, error } = (await response.json()) as Outcome
    const audio = await (await fetch(`${url}/captures/${id}/audio`)).arrayBuffer()
    if (sha256(audio) !== hash) faults.push(`${recording} ${id}: its audio differs`)
    if (status !== 'completed')
      faults.push(`${recording} ${id} is ${status}: ${error?.code} ${error?.message}`)
    else if (!recording.startsWith('nothing-') && text === '') faults.push(`${recording} ${id} has no text`)
  }
  return faults
}

/** @returns the number of attempts beyond each job's first */
export async function extraAttempts({ url }: RunningServer): Promise<number> {
  let extra = 0
  for (let offset = 0; ; offset += 100) {
    const response = await fetch(`${url}/jobs?limit=100&offset=${offset}`)
    const { items } = (await response.json()) as { items: { attempts: number }[] }
    for (const { attempts } of items) extra += attempts - 1
    if (items.length < 100) return extra
  }
}
