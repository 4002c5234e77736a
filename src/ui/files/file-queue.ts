// The queue of files to transcribe; it continues whichever view is open. The page uploads two at a time, the server
// transcribes in its own order.

import { computed, signal } from '@preact/signals'
import { figure } from '../parts/formats.ts'
import { noteFault, textOfError } from '../parts/toasts.tsx'
import { onServerEvent } from '../server/connection.ts'
import {
  findCaptureByAudio,
  isServerReachable,
  Refused,
  request,
  serverIsBack,
  Unreachable,
} from '../server/request.ts'
import { recordedAt, sendForm } from '../server/send-form.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { chosenFields } from './file-fields.ts'

export type FileState = 'waiting' | 'sending' | 'queued' | 'working' | 'completed' | 'failed' | 'cancelled'

export type QueuedFile = {
  key: number
  file: File
  /** form fields, as chosen when the file was added */
  fields: Record<string, string>
  state: FileState
  /** of the current state, 0 to 1 */
  progress: number
  captureId: string | null
  text: string
  /** why there is no text, in the server's words */
  fault: string | null
  /** a retry would fail in the same way */
  isHopeless: boolean
  /** when its transcription began, and how long it took, by performance.now() */
  beganAt: number | null
  tookMs: number | null
}

export const fileQueue = signal<readonly QueuedFile[]>([])

/** Uploads at a time, out of the six connections that a browser opens to a host. */
const MAX_SENDING = 2
const PATH = '/captures?wait=false'

/** Problem codes that concern the file itself, so that a retry is pointless. */
const HOPELESS = [
  'empty_file',
  'file_too_large',
  'unsupported_audio',
  'undecodable_audio',
  'audio_too_long',
  'invalid_request',
]

const sending = new Map<number, AbortController>()
let last = 0

export const isFileOver = ({ state }: QueuedFile): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled'

/** Queue positions of the files waiting for the server, from 1, by key; the server works in upload order. */
const places = computed(() => {
  const queued = fileQueue.value.filter(({ state }) => state === 'queued')
  return new Map(queued.map(({ key }, index) => [key, index + 1]))
})

/** The position of a file that waits for the server. */
export const placeOf = ({ key }: QueuedFile): { place: string; count: string } => ({
  place: figure(places.value.get(key)!),
  count: figure(places.value.size),
})

const find = (key: number): QueuedFile | undefined => fileQueue.value.find((one) => one.key === key)

function change(key: number, changed: Partial<QueuedFile>): void {
  fileQueue.value = fileQueue.value.map((one) => (one.key === key ? { ...one, ...changed } : one))
}

export function addFiles(files: Iterable<File>): void {
  const fields = chosenFields()
  const added = [...files].map((file): QueuedFile => {
    last += 1
    const nothing = { captureId: null, text: '', fault: null, isHopeless: false, beganAt: null, tookMs: null }
    return { key: last, file, fields, state: 'waiting', progress: 0, ...nothing }
  })
  fileQueue.value = [...fileQueue.value, ...added]
  sendNext()
}

function sendNext(): void {
  for (const { key, state } of fileQueue.value) {
    if (sending.size >= MAX_SENDING) return
    if (state === 'waiting') void send(key)
  }
}

async function send(key: number): Promise<void> {
  const stopping = new AbortController()
  sending.set(key, stopping)
  const { file, fields } = find(key)!
  change(key, { state: 'sending', progress: 0, fault: null })
  try {
    const { id } = await sendOnce({ file, fields }, stopping.signal, (progress) => change(key, { progress }))
    change(key, { state: 'queued', captureId: id, progress: 0 })
    void look(key)
  } catch (error) {
    if (stopping.signal.aborted) return
    const isHopeless = error instanceof Refused && HOPELESS.includes(error.problem.code)
    change(key, { state: 'failed', fault: textOfError(error), isHopeless })
  } finally {
    sending.delete(key)
    sendNext()
  }
}

/** Waits while the server is unreachable. @throws Refused, or the reason of `signal` */
async function sendOnce(
  { file, fields }: Pick<QueuedFile, 'file' | 'fields'>,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<{ id: string }> {
  let isAttempted = false
  for (;;) {
    try {
      // The previous attempt may have arrived although its response was lost.
      const existing = isAttempted ? await findCaptureByAudio(file) : null
      if (existing) return existing
      const form = new FormData()
      form.set('source', 'file')
      for (const [name, value] of Object.entries({ ...fields, ...recordedAt(file.lastModified) }))
        form.set(name, value)
      form.set('file', file)
      return await sendForm<{ id: string }>(PATH, form, { onProgress, signal })
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      // An unreadable file (deleted, or no permission) fails with the same error as the network.
      if (await isServerReachable()) throw new Error(strings.value.files.unreadable)
      isAttempted = true
      await serverIsBack()
      signal.throwIfAborted()
    }
  }
}

/** Updates a file from its capture. */
async function look(key: number): Promise<void> {
  const { captureId } = find(key) ?? {}
  if (!captureId) return
  try {
    updateFrom(key, await request<DetailedCapture>(`/captures/${captureId}`))
  } catch (error) {
    if (error instanceof Refused) change(key, { state: 'failed', fault: error.message })
  }
}

function updateFrom(key: number, { status, text, error }: DetailedCapture): void {
  const one = find(key)
  if (one === undefined) return
  const tookMs = one.beganAt === null ? null : performance.now() - one.beganAt
  if (status === 'completed') change(key, { state: 'completed', text, progress: 1, tookMs })
  else if (status === 'failed')
    change(key, {
      state: 'failed',
      fault: error?.message ?? null,
      isHopeless: HOPELESS.includes(error?.code ?? ''),
    })
  else if (status === 'canceled') change(key, { state: 'cancelled' })
  else if (status !== 'pending') begun(one)
}

function begun(one: QueuedFile, progress = one.progress): void {
  change(one.key, { state: 'working', progress, beganAt: one.beganAt ?? performance.now() })
}

onServerEvent((event) => {
  for (const one of fileQueue.value) {
    if (one.captureId === null || isFileOver(one)) continue
    if (event.name === 'reset') void look(one.key)
    else if (!('capture_id' in event) || event.capture_id !== one.captureId) continue
    else if (event.name === 'job.progress' && event.state === 'active') begun(one, event.progress)
    else if (event.name !== 'job.progress') void look(one.key)
  }
})

/** An uploaded file stays a capture with its recording. */
export async function cancelFile(key: number): Promise<void> {
  const one = find(key)
  if (one === undefined || isFileOver(one)) return
  sending.get(key)?.abort(new Error('cancelled'))
  if (one.captureId === null) return change(key, { state: 'cancelled' })
  try {
    await request(`/captures/${one.captureId}/cancel`, { method: 'POST' })
  } catch (error) {
    // Any other refusal means that the job had already ended.
    if (!(error instanceof Refused)) noteFault(error)
  }
  await look(key)
}

export async function retryFile(key: number): Promise<void> {
  const one = find(key)
  if (one === undefined) return
  if (one.captureId === null) {
    change(key, { state: 'waiting', fault: null })
    return sendNext()
  }
  try {
    await request(`/captures/${one.captureId}/retranscribe?wait=false`, { method: 'POST', json: {} })
    change(key, { state: 'queued', progress: 0, fault: null, beganAt: null })
    await look(key)
  } catch (error) {
    noteFault(error)
  }
}

export const forgetFile = (key: number): void => {
  fileQueue.value = fileQueue.value.filter((one) => one.key !== key)
}

/** Removes finished files from the queue; their captures stay. */
export function forgetOver(): void {
  fileQueue.value = fileQueue.value.filter((one) => !isFileOver(one))
}

// Files that are not uploaded exist only in this page.
addEventListener('beforeunload', (event) => {
  if (fileQueue.value.some(({ state }) => state === 'waiting' || state === 'sending')) event.preventDefault()
})
