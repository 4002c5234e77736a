// What the first recording would otherwise wait for: children started, and code compiled by being used.
// Loads no model, and keeps nothing of what it hears.

import { join } from 'node:path'
import { sniffAudio } from './audio/sniff.ts'
import type { ModelFile } from './engine/engine.ts'
import type { Recognition } from './recognition.ts'

/** A larger model computes for so long that compiling is no great part of it, and a recording would wait for this. */
const LARGEST_MODEL_BYTES = 200_000_000

/**
 * Three seconds of a LibriVox reader, in the public domain. A voice, because what is none is heard up to six times
 * before it is believed to be none, which takes longer than all that compiling.
 */
const RECORDING = join(import.meta.dir, 'warm-up.flac')

/** @param model that is loaded */
export async function warmUp(recognition: Recognition, model: ModelFile | null): Promise<void> {
  const { decoder, detector, engine, transcriber } = recognition
  await Promise.all([decoder.warm(), detector.warm()])
  // Whoever came first is warming it now, or has; one that was unloaded is not loaded for this.
  if (model === null || model.bytes > LARGEST_MODEL_BYTES || engine.health().state !== 'ready') return
  const kind = sniffAudio(await Bun.file(RECORDING).bytes())
  if (kind === null) return
  await transcriber.transcribe({
    ...{ path: RECORDING, kind, model, language: 'en', task: 'transcribe', prompt: null },
    signal: new AbortController().signal,
  })
}
