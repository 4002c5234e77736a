import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  findMicrophone,
  firstDirectShowMicrophone,
  type System,
} from '../../../src/cli/dictate/microphone.ts'
import { createTestFolder } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { wavHeader } from '../../support/wav.ts'

const system = (platform: NodeJS.Platform, programs: string[], output = ''): System => ({
  platform,
  which: (program) => (programs.includes(program) ? `/bin/${program}` : null),
  outputOf: () => output,
})

const nameOn = (platform: NodeJS.Platform, programs: string[], output?: string) => {
  const found = findMicrophone(null, system(platform, programs, output))
  return found.ok ? found.value.name : found.failure
}

test('the first program that the system has records', () => {
  expect(nameOn('linux', ['arecord', 'ffmpeg'])).toBe('arecord')
  expect(nameOn('linux', ['ffmpeg', 'pw-record', 'arecord'])).toBe('pw-record')
  expect(nameOn('darwin', ['rec', 'ffmpeg'])).toBe('ffmpeg')
  expect(nameOn('win32', ['ffmpeg'], '[dshow] "Microphone (USB)" (audio)')).toBe('ffmpeg')
  expect(nameOn('linux', [])).toContain('Install one of pulseaudio-utils')
  expect(nameOn('win32', ['ffmpeg'], 'Could not enumerate audio only devices')).toContain('no microphone')
})

test('a DirectShow microphone is found in the lists of old and new versions of ffmpeg', () => {
  const newer = '[dshow] "Camera" (video)\n[dshow]   Alternative name "@device"\n[dshow] "Mic, front" (audio)'
  const older =
    'DirectShow video devices\n "Camera"\nDirectShow audio devices\n "Mic"\n    Alternative name "@x"'
  expect([newer, older, 'nothing'].map(firstDirectShowMicrophone)).toEqual(['Mic, front', 'Mic', null])
})

test('a command delivers its output until it is stopped, and reports why it ended by itself', async () => {
  const endless = findMicrophone('while :; do printf 1234567890; sleep 0.01; done')
  if (!endless.ok) throw new Error(endless.failure)
  let bytes = 0
  const running = endless.value.start((piece) => {
    bytes += piece.length
  })
  await until(() => bytes > 20)
  running.stop()
  expect(await running.ended).toBeNull()

  const broken = findMicrophone('echo no such device >&2; exit 3')
  if (!broken.ok) throw new Error(broken.failure)
  expect(await broken.value.start(() => {}).ended).toEndWith('ended with 3: no such device')
})

test('a WAV file plays at the pace of speech, then silence follows', async () => {
  await using folder = await createTestFolder()
  const path = join(folder.dataFolder, 'tone.wav')
  const samples = new Uint8Array(3200).fill(7)
  await Bun.write(
    path,
    new Blob([wavHeader({ dataBytes: samples.length, rate: 16_000, channels: 1 }), samples]),
  )
  const found = findMicrophone(path)
  if (!found.ok) throw new Error(found.failure)
  const received: number[] = []
  const beganAt = performance.now()
  const running = found.value.start((piece) => received.push(...piece))
  await until(() => received.length > 6400)
  running.stop()
  await running.ended
  const sentMs = received.length / 32
  expect(sentMs).toBeLessThanOrEqual(performance.now() - beganAt)
  expect(received.slice(0, 3200).every((byte) => byte === 7)).toBe(true)
  expect(received.slice(3200).every((byte) => byte === 0)).toBe(true)
})

test('a file of another format is rejected with the command that converts it', () => {
  const found = findMicrophone(join(import.meta.dir, '../../speech/short-01.flac'))
  expect(found.ok ? '' : found.failure).toContain('ffmpeg -i FILE')
})
