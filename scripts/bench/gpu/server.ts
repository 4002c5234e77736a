// Hours of speech and dictation through a whole server whose engine is the GPU, with a model of turbo's shape whose text is
// the same for every sound.

import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SAMPLE_RATE } from '../../../src/engine/engine.ts'
import { dawnFolderIn, gpuFolderIn } from '../../../src/engine/gpu/dawn-package.ts'
import { samplesOf } from '../../../test/support/flac.ts'
import { startServer } from '../../../test/support/server.ts'
import { wavOf } from '../../../test/support/wav.ts'
import { type ForcedSize, saveForcedModel } from '../engine/forced-model.ts'
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
  await saveForcedModel(join(folder, 'models', `ggml-${model}.bin`), size, 'q5_0')
  const env = { DICTATION_ENGINE: 'gpu', DICTATION_MODEL: model }
  const server = await startServer({ env, dataFolder: folder })
  try {
    await transcribed(server.url, await samplesOf('short-01.flac'))
    const { engine } = (await (await fetch(`${server.url}/health`)).json()) as {
      engine: { device: string; device_reason: string }
    }
    console.error(`${engine.device}: ${engine.device_reason}`)
    if (engine.device !== 'gpu') return []
    const once = await samplesOf(LONG)
    const long = new Float32Array(Math.round(hours * 3600) * SAMPLE_RATE)
    for (let at = 0; at < long.length; at += once.length) long.set(once.subarray(0, long.length - at), at)
    const longMs = await transcribed(server.url, long)
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
    ]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

const transcribed = async (url: string, samples: Float32Array): Promise<number> => {
  const form = new FormData()
  form.set('file', wavOf(samples), 'speech.wav')
  form.set('language', 'en')
  const startedAt = performance.now()
  const response = await fetch(`${url}/transcribe`, { method: 'POST', body: form })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${answer}`)
  return performance.now() - startedAt
}
