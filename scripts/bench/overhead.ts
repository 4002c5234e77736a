// The cost of a five-second capture beyond the engine and speech detection: receiving, syncing, decoding, queue,
// database and response.

import { SAMPLE_RATE } from '../../src/engine/engine.ts'
import { samplesOf } from '../../test/support/flac.ts'
import { type RunningServer, startServer } from '../../test/support/server.ts'
import { formOf } from '../../test/support/speech.ts'
import { wavHeader } from '../../test/support/wav.ts'
import { type Measure, median, milliseconds, type Row } from './table.ts'

type Capture = { status: string; processing_ms: { decode: number; transcribe: number } }

/** The first rounds warm up the decoder, the detector, the engine and the JIT compiler. */
const ROUNDS = { warming: 20, counted: 40 }
const SHORT_ROUNDS = { warming: 2, counted: 3 }

const CLIP = 'human-4.flac'

export const measureOverhead: Measure = async ({ short }) => {
  // The default log level; tests use a more verbose one.
  await using server = await startServer({ env: { DICTATION_LOG_LEVEL: 'info' } })
  const forms = {
    FLAC: () => formOf(CLIP),
    WAV: async () => {
      const form = new FormData()
      form.set('file', await wavOf(CLIP))
      return form
    },
  }
  const rows: Row[] = []
  for (const [format, form] of Object.entries(forms)) {
    const { overheads, decodes } = await measureFormat(server, form, short ? SHORT_ROUNDS : ROUNDS)
    rows.push({
      what: `capture of 5.3 s of ${format}: everything but engine and speech detection, p50`,
      value: milliseconds(median(overheads)),
      note: `of which decoding ${milliseconds(median(decodes))}`,
    })
  }
  return rows
}

async function measureFormat(
  server: RunningServer,
  form: () => Promise<FormData>,
  { warming, counted }: typeof ROUNDS,
) {
  const overheads: number[] = []
  const decodes: number[] = []
  for (let index = 0; index < warming + counted; index++) {
    const body = await form()
    const startedAt = performance.now()
    const response = await fetch(`${server.url}/captures`, { method: 'POST', body })
    const capture = (await response.json()) as Capture
    const tookMs = performance.now() - startedAt
    if (response.status !== 201 || capture.status !== 'completed')
      throw new Error(`capture: ${response.status}`)
    if (index < warming) continue
    overheads.push(tookMs - capture.processing_ms.transcribe)
    decodes.push(capture.processing_ms.decode)
  }
  return { overheads, decodes }
}

async function wavOf(clip: string): Promise<File> {
  const samples = Int16Array.from(await samplesOf(clip), (sample) => Math.round(sample * 0x7fff))
  const header = wavHeader({ dataBytes: samples.byteLength, rate: SAMPLE_RATE, channels: 1 })
  return new File([header, samples], 'clip.wav')
}
