// The requests of the recorded run, and what each response acknowledged. One request at a time, so that responses in the
// recording can be identified by their order; jobs run meanwhile.

import { type Ask, GONE_BY_BATCH, type Key, settle, sha256, view } from '../support/kept-view.ts'
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

  const ask: Ask = async (path, init) => {
    const response = await fetch(url + path, init)
    answers++
    return response
  }

  async function does(method: string, path: string, { json, form, raw, chunked }: Body = {}) {
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
    const response = await ask(path, init)
    const answer = answers
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    const isWhole = form !== undefined || raw !== undefined
    const upload = chunked !== undefined ? 'part' : isWhole ? 'whole' : null
    acknowledged.push({ what: `${method} ${path}`, answer, expected: new Map(), upload })
    return text.startsWith('{') ? JSON.parse(text) : {}
  }

  /** Records the acknowledged state of these keys for the last response. */
  async function holds(...keys: Key[]): Promise<void> {
    const last = acknowledged.at(-1)!
    for (const key of keys) last.expected.set(key, await view(ask, key))
  }
  const holdsWhenDone = (...keys: Key[]) => {
    for (const key of keys) open.push([acknowledged.at(-1)!, key])
  }
  const expectState = (key: Key, value: string) => acknowledged.at(-1)!.expected.set(key, value)
  const silence = keptWith(sha256(await recordingFile(SILENT).arrayBuffer()))

  async function upload(query: string, body: Body): Promise<string> {
    return (await does('POST', `/captures?${query}`, body)).id
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
  await holds(keyOf(spoken))
  const silent = await upload('wait=true', { form: SILENT })
  await holds(keyOf(silent))
  const raw = await upload('wait=true&title=raw', { raw: SILENT })
  await holds(keyOf(raw))
  const live = await upload('wait=false', { chunked: SILENT })
  holdsWhenDone(keyOf(live))
  holdsWhenDone(keyOf(await recordLive()))
  const later = await upload('wait=false&title=later', { raw: SPOKEN })
  holdsWhenDone(keyOf(later))
  const discarded = await upload('discarded=true', { raw: SILENT })
  await holds(keyOf(discarded))

  await does('PATCH', `/captures/${silent}`, { json: { title: 'Minutes', starred: true } })
  await holds(keyOf(silent))
  await does('PATCH', `/captures/${spoken}/segments/0`, { json: { text: 'Corrected by hand.' } })
  await holds(keyOf(spoken))

  // Later transcriptions would use the new default style.
  await settle(ask)
  await does('PATCH', '/settings/captures', { json: { typing_wpm: 51 } })
  await holds('settings')
  const styles = (await (await ask('/writing-styles')).json()) as { items: { id: string }[] }
  const style = styles.items[FRIENDLY_STYLE]!.id
  await does('PATCH', '/settings/captures', { json: { language: 'en', default_writing_style_id: style } })
  await holds('settings', 'writing-styles')

  const entry = { word: 'git hub', replacement: 'GitHub' }
  const { id: word } = await does('POST', '/dictionary', { json: entry })
  await holds('dictionary')
  await does('POST', '/dictionary/import', { json: { entries: [{ word: 'Kubernetes', type: 'term' }] } })
  await holds('dictionary')
  await does('PATCH', `/dictionary/${word}`, { json: { replacement: 'GitHub.com' } })
  await holds('dictionary')
  await does('DELETE', `/dictionary/${word}`)
  await holds('dictionary')

  const { id: minutes } = await does('POST', '/writing-styles', { json: { name: 'Minutes', tone: 'formal' } })
  await holds('writing-styles', 'settings')
  await does('PATCH', `/writing-styles/${minutes}`, { json: { priority: 10 } })
  await holds('writing-styles')
  await does('PUT', `/writing-styles/${minutes}/default`)
  await holds('writing-styles', 'settings')
  const { id: other } = await does('POST', '/writing-styles', { json: { name: 'Passing' } })
  await holds('writing-styles')
  await does('DELETE', `/writing-styles/${other}`)
  await holds('writing-styles')

  const content = { name: 'Clean list', triggers: ['clean this list'], steps: ['sort lines'] }
  const { id: command } = await does('POST', '/commands', { json: content })
  await holds('commands')
  await does('PUT', `/commands/${command}`, { json: { ...content, steps: ['bullet list'] } })
  await holds('commands')
  await does('POST', '/commands', { json: { ...content, name: 'Another', triggers: ['do another'] } })
  await holds('commands')
  await does('DELETE', `/commands/${command}`)
  await holds('commands')

  const run = { command: 'put this in title case', selected_text: 'the lord of the rings' }
  await does('POST', '/commands/run', { json: run })
  await does('DELETE', '/commands/history')
  await holds('commands/history')

  await does('POST', `/captures/${raw}/trash`)
  await holds(keyOf(raw))
  await does('POST', `/captures/${raw}/restore`)
  await holds(keyOf(raw))
  await does('POST', `/captures/${discarded}/restore`)
  holdsWhenDone(keyOf(discarded))
  await does('POST', `/captures/${silent}/retranscribe?wait=true`, { json: {} })
  await holds(keyOf(silent))
  await does('POST', `/captures/${spoken}/retranscribe?wait=false`, { json: {} })
  holdsWhenDone(keyOf(spoken))

  const doomed = await upload('wait=true', { raw: SILENT })
  await holds(keyOf(doomed))
  await does('DELETE', `/captures/${doomed}`)
  await holds(keyOf(doomed))
  const hasty = await upload('wait=false', { form: SILENT })
  expectState(keyOf(hasty), silence)
  await does('DELETE', `/captures/${hasty}`)
  await holds(keyOf(hasty))

  const many: string[] = []
  for (const body of [{ form: SILENT }, { raw: SILENT }]) {
    many.push(await upload('wait=true', body))
    expectState(keyOf(many.at(-1)!), silence)
  }
  await settle(ask)
  await does('POST', '/captures/retranscribe', { json: { ids: [raw, silent], skip_if_same_model: false } })
  holdsWhenDone(keyOf(raw), keyOf(silent))
  await does('POST', '/captures/delete', { json: { ids: many } })
  for (const id of many) expectState(keyOf(id), GONE_BY_BATCH)

  await settle(ask)
  for (const [one, key] of open) one.expected.set(key, await view(ask, key))
  return { acknowledged, answers }
}
