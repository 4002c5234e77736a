import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sniffFile } from '../../src/audio/sniff.ts'
import { compareSound, createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

const RARE = join(SPEECH_FOLDER, 'rare')
const FORMATS: Record<string, string> = {
  'ac3.ac3': 'ac3',
  'adx.adx': 'adx',
  'amr.amr': 'amr',
  'dictation.dss': 'dss',
  'dts.dts': 'dts',
  'eac3.eac3': 'ac3',
  'flash.flv': 'flv',
  'flash.swf': 'swf',
  'gsm.gsm': 'gsm',
  'ircam.sf': 'ircam',
  'loas.loas': 'loas',
  'mpegps.mpg': 'mpegps',
  'nut.nut': 'nut',
  'paf.paf': 'paf',
  'phone.3gp': '3gp',
  'psion.wve': 'wve',
  'realaudio.ra': 'realmedia',
  'realmedia.rm': 'realmedia',
  'smaf.mmf': 'smaf',
  'speex.spx': 'ogg',
  'sphere.sph': 'sph',
  'tta.tta': 'tta',
  'voc.voc': 'voc',
  'wavpack.wv': 'wavpack',
}

setDefaultTimeout(180_000)
const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

const references = {
  usual: await decoder.samplesOf(join(SPEECH_FOLDER, 'human-6.flac')),
  dictated: await decoder.samplesOf(join(SPEECH_FOLDER, 'human-3.flac')),
}

test('lists every file of the folder', () => {
  const files = readdirSync(RARE).filter((name) => !/\.md$|^16-/.test(name))
  expect(files.sort()).toEqual(Object.keys(FORMATS).sort())
})

describe('recognises and decodes formats of dictation machines, telephones and old players', () => {
  for (const [name, format] of Object.entries(FORMATS)) {
    test(name, async () => {
      expect(sniffFile(join(RARE, name))?.kind.format).toBe(format)
      const reference = name === 'dictation.dss' ? references.dictated : references.usual
      const samples = await decoder.samplesOf(join(RARE, name))
      expect(Math.abs(samples.length - reference.length)).toBeLessThan(16_000 * 0.15)
      // Half of these codecs preserve only the outline of a voice.
      expect(compareSound(reference, samples).correlation).toBeGreaterThan(0.4)
    })
  }
})

test('names the format if the optional decoder is missing', async () => {
  await using bare = await createTestDecoder({ optionalDecoder: false })
  const result = await bare.decodeFile(join(RARE, 'dictation.dss'))
  expect(result.ok ? null : result.failure).toEqual({
    code: 'decoder_missing',
    message: expect.stringContaining("This recording's format (DSS) needs an optional decoder"),
  })
})
