import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openByteSource } from '../../../src/audio/decoding/byte-source.ts'
import { declaredLength } from '../../../src/audio/decoding/declared-length.ts'
import { SNIFF_BYTES } from '../../../src/audio/sniff.ts'
import { sniffAudio } from '../../support/sniff-audio.ts'
import { createTestDecoder, SPEECH_FOLDER } from '../decoded.ts'

setDefaultTimeout(120_000)
const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

async function declaredIn(path: string) {
  const kind = sniffAudio(await Bun.file(path).slice(0, SNIFF_BYTES).bytes())
  const source = openByteSource(path)
  try {
    return declaredLength(source, kind!.format)
  } finally {
    source.close()
  }
}

test('the declared length of a recording matches its decoded length, in every format', async () => {
  const silent: string[] = []
  for (const folder of ['formats', 'containers']) {
    for (const name of readdirSync(join(SPEECH_FOLDER, folder)).filter((one) => !one.endsWith('.md'))) {
      const path = join(SPEECH_FOLDER, folder, name)
      const declared = await declaredIn(path)
      if (declared === null) silent.push(name)
      else {
        const samples = (await decoder.samplesOf(path)).length
        expect([name, Math.abs(declared.seconds - samples / 16_000) < 1.1]).toEqual([name, true])
      }
    }
  }
  // FFmpeg decodes the other formats and counts their samples.
  const isOurs = (name: string) =>
    /\.(wav|flac|ogg|oga|opus|m4a|mka|au)$/.test(name) && name !== 'wav-adpcm.wav'
  expect(silent.filter(isOurs)).toEqual([])
})
