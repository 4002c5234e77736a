// Which starts hear a recording of their own, so that nobody's first text pays for compiling.
// Decoder, detector and engine are stood in for: what they make of the recording is test/speech.test.ts's.

import { expect, test } from 'bun:test'
import type { EngineHealth, ModelFile } from '../src/engine/engine.ts'
import type { Recognition } from '../src/recognition.ts'
import type { TranscriptionRequest } from '../src/transcription/transcribe-recording.ts'
import { warmUp } from '../src/warm-up.ts'

const model: ModelFile = { name: 'base', path: '/nowhere', bytes: 60_000_000, multilingual: true }

async function heardBy({ loaded = model as ModelFile | null, state = 'ready' as EngineHealth['state'] }) {
  const done: string[] = []
  const warm = (what: string) => ({ warm: async () => void done.push(what) })
  const recognition = {
    ...{ decoder: warm('decoder'), detector: warm('detector'), engine: { health: () => ({ state }) } },
    transcriber: {
      transcribe: async ({ kind }: TranscriptionRequest) => void done.push(`heard ${kind.format}`),
    },
  }
  await warmUp(recognition as unknown as Recognition, loaded)
  return done
}

test('a start hears its own recording once all is ready', async () => {
  expect(await heardBy({})).toEqual(['decoder', 'detector', 'heard flac'])
})

test.each([
  ['no model could be loaded', { loaded: null }],
  ['the model is large', { loaded: { ...model, bytes: 1_500_000_000 } }],
  ['somebody is being heard already', { state: 'busy' as const }],
  ['the model was unloaded meanwhile', { state: 'unloaded' as const }],
])('refuses to make anybody wait where %s', async (_why, given) => {
  expect(await heardBy(given)).toEqual(['decoder', 'detector'])
})
