// Runs the decoders in the test's own process, which needs no start and shows their errors.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DecodeError } from '../../../src/audio/decoding/decode-error.ts'
import { type DecodeTools, decodeFile } from '../../../src/audio/decoding/decode-file.ts'
import { createFlacDecoders } from '../../../src/audio/decoding/flac.ts'
import { loadSpeex } from '../../../src/audio/decoding/resampler.ts'
import { loadSpeechModel } from '../../../src/audio/speech-model.ts'
import { sniffAudio } from '../../support/sniff-audio.ts'

const speex = await loadSpeex()

const missing: DecodeTools['ffmpeg'] = () => Promise.resolve(null)

/** Decodes without the optional package by default. @returns the samples, or the error code */
export async function decodeInProcess(
  bytes: Uint8Array,
  maxAudioSeconds = 600,
  ffmpeg = missing,
): Promise<Float32Array | string> {
  const folder = await mkdtemp(join(tmpdir(), 'decode test '))
  const [path, outputPath] = [join(folder, 'in'), join(folder, 'out')]
  const format = sniffAudio(bytes)?.format ?? 'unrecognised'
  try {
    await Bun.write(path, bytes)
    const limits = { maxAudioSeconds, reservedBytes: Number.MAX_SAFE_INTEGER }
    const task = { path, format, outputPath, ...limits, optionalDecoder: true }
    await decodeFile(task, { speex, flac: createFlacDecoders(), ffmpeg, speech: loadSpeechModel })
    return new Float32Array(await Bun.file(outputPath).arrayBuffer())
  } catch (error) {
    if (error instanceof DecodeError) return error.code
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
