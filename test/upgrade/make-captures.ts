// Creates the finished captures of the upgrade test's folder, each in a different state.

import { openLive, spokenIn } from '../support/live.ts'
import { silentFlac } from '../support/silent-flac.ts'
import { until } from '../support/until.ts'
import { type Client, type Json, workIsOver } from './client.ts'
import type { Taught } from './make-taught.ts'

/** Ids, by the role of the capture or batch in the test. */
export type Named = Record<string, string>

export const CLIPS = {
  human: 'speech/formats/ogg-opus.opus',
  light: 'speech/short-09.flac',
  weather: 'speech/short-17.flac',
  call: 'speech/short-14.flac',
  hesitating: 'speech/short-15.flac',
  helen: 'speech/short-12.flac',
  mp3: 'speech/formats/mp3-cbr64.mp3',
  paragraph: 'speech/timestamps/gap.ogg',
  short: 'languages/speech/fleurs-en-004.ogg',
  cut: 'speech/short-23.flac',
  silence: 'speech/nothing-silence.flac',
}

export async function makeCaptures(client: Client, taught: Taught): Promise<Named> {
  const plain = await client.upload(CLIPS.weather, { source: 'dictation' })
  return {
    plain,
    ...(await makeEdited(client, taught)),
    long: await makeLong(client),
    refinedByModel: await makeRefinedByModel(client),
    ...(await makeUntranscribed(client)),
    ...(await makeTrashed(client)),
    ...(await makeDeleted(client)),
    interrupted: await makeInterrupted(client),
  }
}

async function makeEdited({ upload, post, patch, get }: Client, { style }: Taught): Promise<Named> {
  const context = {
    source: 'dictation',
    title: 'The light',
    app_name: 'Zoom',
    app_id: 'us.zoom.xos',
    app_url: 'https://meet.example.com/room?q=1',
    window_title: 'Weekly meeting – Zoom',
    recorded_at: '2019-03-31T02:30:00+01:00',
    writing_style_id: style,
    language: 'en',
  }
  const withContext = await upload(CLIPS.light, context)
  await patch(`/captures/${withContext}`, { starred: true })
  const retranscribed = await upload(CLIPS.hesitating, { app_name: 'Notes' })
  await post(`/captures/${retranscribed}/retranscribe?wait=600`, { model: 'tiny.en', prompt: 'A button.' })
  await post(`/captures/${retranscribed}/refine?wait=600`, { flags: { smart_cleanup: false } })
  await post(`/captures/${retranscribed}/versions/1/restore`)
  const corrected = await upload(CLIPS.helen)
  await patch(`/captures/${corrected}/segments/0`, { text: 'Dear Helène, thank you for the Straße.' })
  const rewritten = await upload(CLIPS.mp3)
  await patch(`/captures/${rewritten}`, {
    transcript_refined: 'He might even have been made amiable; «himself» & <others>.',
    title: 'Ärger\tmit "Zeichen" 😀',
    recorded_at: '2024-02-29T12:00:00Z',
  })
  const unrefined = await upload(CLIPS.call, { refine: 'false', source: 'recording' })
  await get(`/captures/${corrected}/waveform`)
  return { withContext, retranscribed, corrected, rewritten, unrefined }
}

/** Its versions are so long that the server stores segments and versions in a separate file. */
async function makeLong({ upload, patch, get }: Client): Promise<string> {
  const id = await upload(CLIPS.paragraph, { title: 'Long' })
  const segments = (await get(`/captures/${id}`)).segments as Json[]
  console.log(`the long capture has ${segments.length} segments`)
  for (let change = 0; change < 4; change++) {
    await patch(`/captures/${id}`, { transcript_refined: `Version ${change}. `.repeat(4000) })
    for (const [number, { text }] of segments.entries())
      await patch(`/captures/${id}/segments/${number}`, { text: `${text} ${change}` })
  }
  await patch(`/captures/${id}`, { transcript_refined: 'Short again.', starred: true })
  return id
}

/** The language model is a stub that always returns the same sentence. */
async function makeRefinedByModel({ upload, patch, get }: Client): Promise<string> {
  using model = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const message = { role: 'assistant', content: 'Turn on the light in the kitchen!' }
      return Response.json({ model: 'a-model-of-mine', choices: [{ message, finish_reason: 'stop' }] })
    },
  })
  const { items } = await get('/writing-styles')
  const { id: style } = items.find(
    ({ use_llm, kind, enabled }: Json) => use_llm && enabled && kind === 'builtin',
  )
  await patch('/settings/captures', {
    llm_base_url: `http://127.0.0.1:${model.port}/v1`,
    llm_api_key_env: null,
  })
  const id = await upload(CLIPS.light, { writing_style_id: style })
  await patch('/settings/captures', { llm_base_url: null, llm_api_key_env: 'DICTATION_LLM_KEY' })
  const { refinement_status: status } = await get(`/captures/${id}`)
  if (status !== 'llm') throw new Error(`the language model did not refine the text: ${status}`)
  return id
}

/** One fails, one is canceled, and make-folder.ts removes the audio file of the third. */
async function makeUntranscribed({ upload, post, get, url, token }: Client): Promise<Named> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/flac' }
  // A FLAC file that ends in its first frame.
  const body = silentFlac(2).slice(0, 50)
  const sent = await fetch(`${url}/captures?wait=600&title=Broken`, { method: 'POST', headers, body })
  const { id: failed } = (await sent.json()) as Json
  const { status } = await get(`/captures/${failed}`)
  if (status !== 'failed') throw new Error(`a damaged recording is ${status}`)
  const canceled = await upload(CLIPS.helen, { title: 'Cancelled' }, { wait: false })
  await post(`/captures/${canceled}/cancel`)
  const withoutAudio = await upload(CLIPS.short, { title: 'Removed by hand' })
  await get(`/captures/${withoutAudio}/waveform`)
  return { failed, canceled, withoutAudio }
}

async function makeTrashed({ upload, post, url, token }: Client): Promise<Named> {
  const trashed = await upload(CLIPS.cut, { title: 'Thrown away' })
  await post(`/captures/${trashed}/trash`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/flac' }
  // After a restore, the server transcribes it with the options of this request.
  const path = '/captures?discarded=true&refine=false&title=Discarded'
  const body = Bun.file(`${import.meta.dir}/../${CLIPS.hesitating}`)
  const sent = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const { id: discarded } = (await sent.json()) as Json
  return { trashed, discarded }
}

async function makeDeleted({ upload, remove }: Client): Promise<Named> {
  const deleted = await upload(CLIPS.weather, { app_name: 'Notes', source: 'dictation' })
  await remove(`/captures/${deleted}`)
  const deletedPending = await upload(CLIPS.silence, {}, { wait: false })
  await remove(`/captures/${deletedPending}`)
  return { deleted, deletedPending }
}

/** The connection breaks during the recording. */
async function makeInterrupted(client: Client): Promise<string> {
  const { get, url, token } = client
  const known = new Set((await get('/captures?limit=200')).items.map(({ id }: Json) => id))
  const query = { keep: 'true', language: 'en', app_name: 'Notes' }
  const live = await openLive(url, { headers: { authorization: `Bearer ${token}` }, query })
  live.send(await spokenIn('short-23.flac'))
  await live.first('speech_started')
  live.terminate()
  const found = await until(
    async () =>
      (await get('/captures?limit=200')).items.find(
        ({ id, error }: Json) => !known.has(id) && error?.code === 'upload_interrupted',
      ),
    { what: 'the interrupted recording to become a capture' },
  )
  await workIsOver(client)
  return found.id
}
