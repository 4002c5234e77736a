// The microphone, through the recording program that the system has: 16-bit mono samples at 16 kHz on its stdout.
// `--input` names another command, or a WAV file that plays at the pace of speech.

import { existsSync, readFileSync } from 'node:fs'
import { fail, type Result, succeed } from '../../lib/result.ts'

export const MICROPHONE_RATE = 16_000
const BYTES_PER_SAMPLE = 2
const BYTES_PER_MS = (MICROPHONE_RATE * BYTES_PER_SAMPLE) / 1000

export type Microphone = {
  /** for messages: `arecord`, or what `--input` named */
  name: string
  /** @param onAudio receives bytes of 16-bit little-endian mono samples at 16 kHz; a piece may end inside a sample */
  start(onAudio: (bytes: Uint8Array<ArrayBuffer>) => void): RunningMicrophone
}

export type RunningMicrophone = {
  /** `ended` follows, after the audio that was recorded before */
  stop(): void
  /** resolves with null after `stop`, otherwise with the reason why the microphone ended by itself */
  ended: Promise<string | null>
}

/** What the choice depends on. */
export type System = {
  platform: NodeJS.Platform
  /** the path of a program; null if it is not installed */
  which: (program: string) => string | null
  /** the output of a command, stdout and stderr together; empty if it fails */
  outputOf: (command: string[]) => string
}

export const thisSystem: System = {
  platform: process.platform,
  which: (program) => Bun.which(program),
  outputOf(command) {
    try {
      const { stdout, stderr } = Bun.spawnSync(command, { timeout: 5000 })
      return `${stdout}${stderr}`
    } catch {
      return ''
    }
  },
}

/** @param input a command or a WAV file, in place of the microphone */
export function findMicrophone(
  input: string | null,
  system: System = thisSystem,
): Result<Microphone, string> {
  if (input !== null) return existsSync(input) ? fromFile(input) : succeed(fromCommand(input, shell(input)))
  for (const [program, commandFor] of candidates(system)) {
    const path = system.which(program)
    const command = path === null ? null : commandFor(path)
    if (command !== null) return succeed(fromCommand(program, command))
  }
  return fail(MISSING[system.platform] ?? MISSING.linux!)
}

const OTHERWISE = 'Or give a command that writes 16-bit mono samples at 16 kHz: --input "COMMAND".'
const MISSING: Partial<Record<NodeJS.Platform, string>> = {
  linux: `No recording program was found. Install one of pulseaudio-utils (parec), pipewire-bin (pw-record), alsa-utils (arecord), ffmpeg or sox. ${OTHERWISE}`,
  darwin: `No recording program was found. Install one with "brew install ffmpeg" or "brew install sox". ${OTHERWISE}`,
  win32: `No recording program, or no microphone, was found. Install one with "winget install ffmpeg". ${OTHERWISE}`,
}

type Candidate = [program: string, command: (path: string) => string[] | null]

const RAW_FFMPEG = ['-ac', '1', '-ar', String(MICROPHONE_RATE), '-f', 's16le', '-']
const QUIET_FFMPEG = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer']
const RAW_SOX = ['-q', '-t', 'raw', '-r', String(MICROPHONE_RATE), '-e', 'signed', '-b', '16', '-c', '1', '-']

/** In order of preference: the sound server's own programs know which microphone the user chose. */
function candidates({ platform, outputOf }: System): Candidate[] {
  const rate = String(MICROPHONE_RATE)
  const ffmpeg = (path: string, ...from: string[]) => [path, ...QUIET_FFMPEG, ...from, ...RAW_FFMPEG]
  if (platform === 'darwin')
    return [
      ['ffmpeg', (path) => ffmpeg(path, '-f', 'avfoundation', '-i', ':default')],
      ['rec', (path) => [path, ...RAW_SOX]],
    ]
  if (platform === 'win32')
    return [
      [
        'ffmpeg',
        (path) => {
          const list = outputOf([path, '-hide_banner', '-list_devices', 'true', '-f', 'dshow', '-i', 'dummy'])
          const device = firstDirectShowMicrophone(list)
          return device === null ? null : ffmpeg(path, '-f', 'dshow', '-i', `audio=${device}`)
        },
      ],
      ['sox', (path) => [path, '-q', '-t', 'waveaudio', 'default', ...RAW_SOX.slice(1)]],
    ]
  return [
    [
      'parec',
      (path) => [path, '--raw', '--format=s16le', `--rate=${rate}`, '--channels=1', '--latency-msec=30'],
    ],
    [
      'pw-record',
      // Newer versions write an AU file to stdout unless --raw is given; older ones have no such option.
      (path) => {
        const raw = outputOf([path, '--help']).includes('--raw') ? ['--raw'] : []
        return [path, ...raw, '--format', 's16', '--rate', rate, '--channels', '1', '--latency', '30ms', '-']
      },
    ],
    ['arecord', (path) => [path, '-q', '-t', 'raw', '-f', 'S16_LE', '-r', rate, '-c', '1', '-F', '30000']],
    [
      'ffmpeg',
      (path) =>
        ffmpeg(
          path,
          '-f',
          outputOf([path, '-devices']).includes(' pulse ') ? 'pulse' : 'alsa',
          '-i',
          'default',
        ),
    ],
    ['rec', (path) => [path, ...RAW_SOX]],
  ]
}

/** ffmpeg lists `"Microphone (USB)" (audio)`; older versions list names under a heading. */
export function firstDirectShowMicrophone(list: string): string | null {
  const newer = /"([^"]+)" \(audio\)/.exec(list)?.[1]
  const older = /DirectShow audio devices[\s\S]*?"([^"]+)"/.exec(list)?.[1]
  return newer ?? older ?? null
}

const shell = (command: string): string[] =>
  process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['sh', '-c', command]

/** A program that was stopped may flush slowly; its last samples are not worth more than this. */
const FLUSH_MS = 200
const MAX_ERROR_CHARACTERS = 300

const fromCommand = (name: string, command: string[]): Microphone => ({
  name,
  start(onAudio) {
    const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
    const stopped = Promise.withResolvers<void>()
    let isStopped = false
    const reading = (async () => {
      for await (const bytes of child.stdout) onAudio(bytes)
    })()
    const errors = new Response(child.stderr).text()
    const endedAlone = async () => {
      await reading
      const code = await child.exited
      if (isStopped) return null
      const said = (await errors).trim().slice(-MAX_ERROR_CHARACTERS)
      return `${name} ended with ${code}${said === '' ? '' : `: ${said}`}`
    }
    return {
      stop() {
        if (isStopped) return
        isStopped = true
        child.kill('SIGTERM')
        setTimeout(() => {
          child.kill('SIGKILL')
          stopped.resolve()
        }, FLUSH_MS).unref()
      },
      ended: Promise.race([endedAlone(), stopped.promise.then(() => null)]),
    }
  },
})

const PIECE_MS = 20

/** Plays the file from its beginning each time, at the pace of speech, and silence after its end. */
function fromFile(path: string): Result<Microphone, string> {
  const samples = samplesOfWav(readFileSync(path))
  if (samples === null)
    return fail(
      `${path} is not a WAV file of 16-bit mono samples at 16 kHz. Convert it: ffmpeg -i FILE -ac 1 -ar 16000 -c:a pcm_s16le OUT.wav`,
    )
  return succeed({
    name: path,
    start(onAudio) {
      const beganAt = performance.now()
      const ended = Promise.withResolvers<null>()
      let sent = 0
      const send = () => {
        const due = Math.floor((performance.now() - beganAt) / PIECE_MS) * PIECE_MS * BYTES_PER_MS
        if (due === sent) return
        const piece = new Uint8Array(due - sent)
        piece.set(samples.subarray(sent, due))
        sent = due
        onAudio(piece)
      }
      const timer = setInterval(send, PIECE_MS)
      return {
        stop() {
          clearInterval(timer)
          send()
          ended.resolve(null)
        },
        ended: ended.promise,
      }
    },
  })
}

/** Null if it is another format. */
function samplesOfWav(file: Buffer): Buffer | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null
  let isWanted = false
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    if (name === 'fmt ') {
      const [channels, rate, bits] = [
        file.readUInt16LE(at + 10),
        file.readUInt32LE(at + 12),
        file.readUInt16LE(at + 22),
      ]
      isWanted = channels === 1 && rate === MICROPHONE_RATE && bits === 16
    }
    if (name === 'data') return isWanted ? file.subarray(at + 8, at + 8 + length) : null
    at += 8 + length + (length % 2)
  }
  return null
}
