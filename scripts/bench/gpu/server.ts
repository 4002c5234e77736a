// Hours of speech and dictation through a whole server whose engine is the GPU, with a model of turbo's shape whose text is
// the same for every sound; and the words of a trained model on both devices.

import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SAMPLE_RATE } from '../../../src/engine/engine.ts'
import { dawnFolderIn, gpuFolderIn } from '../../../src/engine/gpu/dawn-package.ts'
import type { ComputeChoice } from '../../../src/engine/gpu/gpu-request.ts'
import { samplesOf } from '../../../test/support/flac.ts'
import { startServer } from '../../../test/support/server.ts'
import { recordingFile, recordings, wordsApart, wordsOf } from '../../../test/support/speech.ts'
import { wavOf } from '../../../test/support/wav.ts'
import { FORCED_END, type ForcedSize, saveForcedModel } from '../engine/forced-model.ts'
import { liveClips } from '../live-clips.ts'
import { playLive } from '../live-play.ts'
import { percentile, type Row, seconds } from '../table.ts'

const LONG = 'long-3-minutes.flac'

type Options = { dawn: string; size: ForcedSize; hours: number; finalGoal?: string }

/** Empty if the model did not pass its trial. */
export const measureServerOnGpu = async ({ dawn, size, hours, finalGoal }: Options): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-bench-'))
  await cp(dirname(dawn), dawnFolderIn(gpuFolderIn(folder)), { recursive: true })
  const model = `forced-${size}`
  await mkdir(join(folder, 'models'))
  await saveForcedModel(join(folder, 'models', `ggml-${model}.bin`), {
    ...{ size, kind: 'q5_0', endSeconds: FORCED_END.window },
  })
  const env = { DICTATION_ENGINE: 'gpu', DICTATION_MODEL: model }
  const server = await startServer({ env, dataFolder: folder })
  try {
    await transcribe(server.url, { file: wavOf(await samplesOf('short-01.flac')) })
    const { engine } = (await (await fetch(`${server.url}/health`)).json()) as {
      engine: { device: string; device_reason: string }
    }
    console.error(`${engine.device}: ${engine.device_reason}`)
    if (engine.device !== 'gpu') return []
    const once = await samplesOf(LONG)
    const long = new Float32Array(Math.round(hours * 3600) * SAMPLE_RATE)
    for (let at = 0; at < long.length; at += once.length) long.set(once.subarray(0, long.length - at), at)
    const { ms: longMs } = await transcribe(server.url, { file: wavOf(long) })
    const finalMs: number[] = []
    for (const { samples } of await liveClips(false)) {
      const { messages, stopMs } = await playLive(
        `${server.url.replace('http', 'ws')}/transcribe/live`,
        samples,
      )
      finalMs.push(messages.findLast(({ message }) => message.type === 'final')!.atMs - stopMs)
    }
    return [
      {
        what: `${size}: ${hours} hours of speech`,
        value: seconds(longMs),
        note: `${((hours * 3_600_000) / longMs).toFixed(0)} × real time, from file to text`,
      },
      {
        what: `${size}: delay from \`stop\` to the final text, p50`,
        value: seconds(percentile(finalMs, 0.5)),
        ...(finalGoal && { goal: finalGoal }),
        note: `${finalMs.length} clips; p95 ${seconds(percentile(finalMs, 0.95))}`,
      },
      await differences(server.url),
    ]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

const TRAINED = 'base'

/** Of all recordings: the words of the GPU that differ from those of the CPU. */
const differences = async (url: string): Promise<Row> => {
  const texts = async (engine: ComputeChoice) => {
    const init = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } }
    await fetch(`${url}/settings/captures`, { ...init, body: JSON.stringify({ engine }) })
    const all: string[] = []
    for (const { file } of recordings)
      all.push((await transcribe(url, { file: recordingFile(file), model: TRAINED })).text)
    return all
  }
  const [onGpu, onCpu] = [await texts('gpu'), await texts('cpu')]
  let [apart, words] = [0, 0]
  for (const [index, text] of onCpu.entries()) {
    const here = wordsApart(onGpu[index]!, text)
    if (here > 0) console.error(`${recordings[index]!.file}\n  GPU: ${onGpu[index]}\n  CPU: ${text}`)
    apart += here
    words += wordsOf(text).length
  }
  return {
    what: `${TRAINED}: words that differ from those of the CPU`,
    value: `${((100 * apart) / words).toFixed(2)} %`,
    goal: '≤ 1 %',
    note: `${apart} of ${words}`,
  }
}

const transcribe = async (url: string, fields: { file: Blob; model?: string }) => {
  const form = new FormData()
  form.set('file', fields.file, 'speech')
  form.set('language', 'en')
  if (fields.model) form.set('model', fields.model)
  const startedAt = performance.now()
  const response = await fetch(`${url}/transcribe`, { method: 'POST', body: form })
  const ms = performance.now() - startedAt
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { text } = (await response.json()) as { text: string }
  return { ms, text }
}
