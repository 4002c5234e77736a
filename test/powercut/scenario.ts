// The requests of the recorded run, and what each response acknowledged. One request at a time, so that responses in the
// recording can be identified by their order; jobs run meanwhile.

import { type FetchApi, GONE_BY_BATCH, type Key, settle, sha256, view } from '../support/kept-view.ts'
import { openLive, spokenIn } from '../support/live.ts'
import { recordingFile } from '../support/speech.ts'

export type Acknowledgement = {
  what: string
  /** its index among all responses of the server */
  answer: number
  /** state from here on; `kept` means any capture with this audio */
  expected: Map<Key, string>
  /** an upload; `part`: part of it may be stored before it is acknowledged */
  upload: 'whole' | 'part' | null
}

export const keptWith = (hash: string) => `kept ${hash}`

const SPOKEN = 'short-09.flac'
const SILENT = 'nothing-silence.flac'
const FRIENDLY_STYLE = 1
/** Samples, a tenth of a second. */
const PIECE = 1600

type Body = { json?: unknown; form?: string; raw?: string; chunked?: string }

export type Played = {
  acknowledged: Acknowledgement[]
  /** number of responses that the client read */
  answers: number
}

export async function playScenario(url: string): Promise<Played> {
  const acknowledged: Acknowledgement[] = []
  /** keys whose final value is known when all jobs are done */
  const open: [Acknowledgement, Key][] = []
  let answers = 0

  const fetchApi: FetchApi = async (path, init) => {
    const response = await fetch(url + path, init)
    answers++
    return response
  }

  async function perform(method: string, path: string, { json, form, raw, chunked }: Body = {}) {
    const init: RequestInit = { method }
    if (json !== undefined)
      Object.assign(init, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) })
    if (raw !== undefined)
      Object.assign(init, {
        headers: { 'content-type': 'audio/flac' },
        body: await recordingFile(raw).bytes(),
      })
    if (chunked !== undefined)
      Object.assign(init, {
        headers: { 'content-type': 'audio/flac' },
        body: recordingFile(chunked).stream(),
      })
    if (form !== undefined) {
      init.body = new FormData()
      init.body.set('file', new File([await recordingFile(form).arrayBuffer()], form))
    }
    const response = await fetchApi(path, init)
    const answer = answers
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    const isWhole = form !== undefined || raw !== undefined
    const upload = chunked !== undefined ? 'part' : isWhole ? 'whole' : null
    acknowledged.push({ what: `${method} ${path}`, answer, expected: new Map(), upload })
    return text.startsWith('{') ? JSON.parse(text) : {}
  }

  /** Records the acknowledged state of these keys for the last response. */
  async function recordState(...keys: Key[]): Promise<void> {
    const last = acknowledged.at(-1)!
    for (const key of keys) last.expected.set(key, await view(fetchApi, key))
  }
  const recordStateWhenDone = (...keys: Key[]) => {
    for (const key of keys) open.push([acknowledged.at(-1)!, key])
  }
  const expectState = (key: Key, value: string) => acknowledged.at(-1)!.expected.set(key, value)
  const silence = keptWith(sha256(await recordingFile(SILENT).arrayBuffer()))

  async function upload(query: string, body: Body): Promise<string> {
    return (await perform('POST', `/captures?${query}`, body)).id
  }
  const keyOf = (id: string) => `capture ${id}`

  async function recordLive(): Promise<string> {
    const socket = await openLive(url, { query: { keep: 'true', language: 'en' } })
    answers++
    const samples = await spokenIn(SPOKEN)
    for (let at = 0; at < samples.length; at += PIECE) socket.send(samples.subarray(at, at + PIECE))
    socket.stop()
    const { capture_id: id } = await socket.first('kept')
    answers++
    const what = 'a live recording'
    acknowledged.push({ what, answer: answers, expected: new Map(), upload: 'part' })
    await socket.closed
    return id
  }

  const spoken = await upload('wait=true', { form: SPOKEN })
  await recordState(keyOf(spoken))
  const silent = await upload('wait=true', { form: SILENT })
  await recordState(keyOf(silent))
  const raw = await upload('wait=true&title=raw', { raw: SILENT })
  await recordState(keyOf(raw))
  const live = await upload('wait=false', { chunked: SILENT })
  recordStateWhenDone(keyOf(live))
  recordStateWhenDone(keyOf(await recordLive()))
  const later = await upload('wait=false&title=later', { raw: SPOKEN })
  recordStateWhenDone(keyOf(later))
  const discarded = await upload('discarded=true', { raw: SILENT })
  await recordState(keyOf(discarded))

  await perform('PATCH', `/captures/${silent}`, { json: { title: 'Minutes', starred: true } })
  await recordState(keyOf(silent))
  await perform('PATCH', `/captures/${spoken}/segments/0`, { json: { text: 'Corrected by hand.' } })
  await recordState(keyOf(spoken))

  // Later transcriptions would use the new default style.
  await settle(fetchApi)
  await perform('PATCH', '/settings/captures', { json: { typing_wpm: 51 } })
  await recordState('settings')
  const styles = (await (await fetchApi('/writing-styles')).json()) as { items: { id: string }[] }
  const style = styles.items[FRIENDLY_STYLE]!.id
  await perform('PATCH', '/settings/captures', { json: { language: 'en', default_writing_style_id: style } })
  await recordState('settings', 'writing-styles')

  const entry = { word: 'git hub', replacement: 'GitHub' }
  const { id: word } = await perform('POST', '/dictionary', { json: entry })
  await recordState('dictionary')
  await perform('POST', '/dictionary/import', { json: { entries: [{ word: 'Kubernetes', type: 'term' }] } })
  await recordState('dictionary')
  await perform('PATCH', `/dictionary/${word}`, { json: { replacement: 'GitHub.com' } })
  await recordState('dictionary')
  await perform('DELETE', `/dictionary/${word}`)
  await recordState('dictionary')

  const { id: minutes } = await perform('POST', '/writing-styles', {
    json: { name: 'Minutes', tone: 'formal' },
  })
  await recordState('writing-styles', 'settings')
  await perform('PATCH', `/writing-styles/${minutes}`, { json: { priority: 10 } })
  await recordState('writing-styles')
  await perform('PUT', `/writing-styles/${minutes}/default`)
  await recordState('writing-styles', 'settings')
  const { id: other } = await perform('POST', '/writing-styles', { json: { name: 'Passing' } })
  await recordState('writing-styles')
  await perform('DELETE', `/writing-styles/${other}`)
  await recordState('writing-styles')

  const content = { name: 'Clean list', triggers: ['clean this list'], steps: ['sort lines'] }
  const { id: command } = await perform('POST', '/commands', { json: content })
  await recordState('commands')
  await perform('PUT', `/commands/${command}`, { json: { ...content, steps: ['bullet list'] } })
  await recordState('commands')
  await perform('POST', '/commands', { json: { ...content, name: 'Another', triggers: ['do another'] } })
  await recordState('commands')
  await perform('DELETE', `/commands/${command}`)
  await recordState('commands')

  const run = { command: 'put this in title case', selected_text: 'the lord of the rings' }
  await perform('POST', '/commands/run', { json: run })
  await perform('DELETE', '/commands/history')
  await recordState('commands/history')

  await perform('POST', `/captures/${raw}/trash`)
  await recordState(keyOf(raw))
  await perform('POST', `/captures/${raw}/restore`)
  await recordState(keyOf(raw))
  await perform('POST', `/captures/${discarded}/restore`)
  recordStateWhenDone(keyOf(discarded))
  await perform('POST', `/captures/${silent}/retranscribe?wait=true`, { json: {} })
  await recordState(keyOf(silent))
  await perform('POST', `/captures/${spoken}/retranscribe?wait=false`, { json: {} })
  recordStateWhenDone(keyOf(spoken))

  const doomed = await upload('wait=true', { raw: SILENT })
  await recordState(keyOf(doomed))
  await perform('DELETE', `/captures/${doomed}`)
  await recordState(keyOf(doomed))
  const deletedEarly = await upload('wait=false', { form: SILENT })
  expectState(keyOf(deletedEarly), silence)
  await perform('DELETE', `/captures/${deletedEarly}`)
  await recordState(keyOf(deletedEarly))

  const many: string[] = []
  for (const body of [{ form: SILENT }, { raw: SILENT }]) {
    many.push(await upload('wait=true', body))
    expectState(keyOf(many.at(-1)!), silence)
  }
  await settle(fetchApi)
  await perform('POST', '/captures/retranscribe', { json: { ids: [raw, silent], skip_if_same_model: false } })
  recordStateWhenDone(keyOf(raw), keyOf(silent))
  await perform('POST', '/captures/delete', { json: { ids: many } })
  for (const id of many) expectState(keyOf(id), GONE_BY_BATCH)

  await settle(fetchApi)
  for (const [one, key] of open) one.expected.set(key, await view(fetchApi, key))
  return { acknowledged, answers }
}
