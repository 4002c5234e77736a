// Runs native whisper.cpp's command line with shout's decoding options, for recording its tokens and probabilities.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ShoutResult } from '../../wasm/shout/shout.ts'
import { wavHeader } from '../support/wav.ts'

/** Greedy, best of five at higher temperatures, no flash attention: the options that shout is built with. */
const AS_SHOUT = ['-bs', '1', '-bo', '5', '-nfa', '-l', 'en', '-t', '1', '-ojf']

export const nativeVersion = (cli: string): string => {
  const { stdout, stderr } = Bun.spawnSync([cli, '--version'])
  return `${stdout}${stderr}`.match(/version:?\s*(\S+)/)?.[1] ?? 'of unknown version'
}

const RATE = 16_000
const IEEE_FLOAT = 3

/** As f32, because changes of speed or level produce values between 16-bit steps. A sample takes the bytes of two 16-bit ones. */
const floatWav = (samples: Float32Array) => {
  const header = wavHeader({ dataBytes: samples.byteLength, rate: RATE, channels: 2 })
  const view = new DataView(header.buffer)
  view.setUint16(20, IEEE_FLOAT, true)
  view.setUint16(22, 1, true)
  view.setUint16(34, 32, true)
  return new Blob([header, samples.slice().buffer])
}

/** @param cli the path of whisper-cli */
export const openNativeWhisper = async (cli: string, model: Uint8Array) => {
  const folder = await mkdtemp(join(tmpdir(), 'native-whisper-'))
  const [modelPath, wavPath, outPath] = [
    join(folder, 'model.bin'),
    join(folder, 'a.wav'),
    join(folder, 'out'),
  ]
  await Bun.write(modelPath, model)
  return {
    transcribe: async (samples: Float32Array): Promise<Pick<ShoutResult, 'transcription'>> => {
      await Bun.write(wavPath, floatWav(samples))
      const command = [cli, '-m', modelPath, ...AS_SHOUT, '-of', outPath, '-f', wavPath]
      const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' })
      if ((await child.exited) !== 0) throw new Error(`${cli} ended with ${child.exitCode}`)
      // a token may be a partial character, which is not UTF-8
      return JSON.parse(Buffer.from(await Bun.file(`${outPath}.json`).bytes()).toString('latin1'))
    },
    close: () => rm(folder, { recursive: true }),
  }
}
