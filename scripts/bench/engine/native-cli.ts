// Native whisper.cpp by its command line: one process per window, with its own timings, without loading.

import type { Case, Peer, PeerResult } from './peer.ts'

const PARTS = ['mel', 'sample', 'encode', 'decode', 'batchd', 'prompt'] as const

type Part = { ms: number; runs: number }

/** @param printed the last lines that whisper-cli prints */
export const readTimings = (printed: string): Omit<PeerResult, 'text'> => {
  const partOf = (name: string): Part => {
    const found = printed.match(new RegExp(`${name} time =\\s*([\\d.]+) ms(?: /\\s*(\\d+) runs)?`))
    if (!found) throw new Error(`whisper-cli printed no ${name} time`)
    return { ms: Number(found[1]), runs: Number(found[2] ?? 1) }
  }
  const decode = partOf('decode')
  return {
    ms: PARTS.reduce((sum, name) => sum + partOf(name).ms, 0),
    encodeMs: partOf('encode').ms,
    tokenMs: decode.ms / decode.runs,
  }
}

/** Parses lines such as `[00:00:00.000 --> 00:00:07.740]   And so` */
export const textPrinted = (printed: string): string =>
  printed
    .split('\n')
    .map((line) => line.replace(/^\[[^\]]*-->[^\]]*\]/, '').trim())
    .filter((line) => line !== '')
    .join(' ')

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

const versionOf = (cli: string): string => {
  const { stdout, stderr } = Bun.spawnSync([cli, '--version'])
  return `${stdout}${stderr}`.match(/version:?\s*(\S+)/)?.[1] ?? 'of unknown version'
}

export const openNativeCli = (cli: string, { clip, model, threads }: Case): Peer => ({
  name: `whisper.cpp ${versionOf(cli)} (WHISPER_CLI)`,
  async transcribe() {
    const greedy = ['-bo', '1', '-bs', '1', '-nf']
    const command = [
      cli,
      '-m',
      model.path,
      '-f',
      clip.wavFile,
      '-l',
      clip.language,
      '-t',
      `${threads}`,
      ...greedy,
    ]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
    const [text, timings] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
    if ((await child.exited) !== 0) throw new Error(`${cli} ended with ${child.exitCode}:\n${timings}`)
    return { ...readTimings(timings), text: textPrinted(text) }
  },
  async close() {},
})
