// What a capture of five seconds costs beside the engine and speech detection:
// receiving, syncing, decoding, queue, database and answer.

import { startServer } from '../../test/support/server.ts'
import { formOf } from '../../test/support/speech.ts'
import { type Measure, median, milliseconds } from './table.ts'

type Capture = { status: string; processing_ms: { decode: number; transcribe: number } }

export const measureOverhead: Measure = async ({ short }) => {
  await using server = await startServer()
  const overheads: number[] = []
  const decodes: number[] = []
  // The first few warm the decoder, the detector and the engine.
  const [warming, counted] = short ? [1, 3] : [2, 10]
  for (let index = 0; index < warming + counted; index++) {
    const body = await formOf('human-4.flac')
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
  return [
    {
      what: 'capture of 5.3 s of FLAC: everything but engine and speech detection, p50',
      value: milliseconds(median(overheads)),
      note: `of which decoding ${milliseconds(median(decodes))}`,
    },
  ]
}
