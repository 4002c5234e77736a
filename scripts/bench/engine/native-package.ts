// Native whisper.cpp from @fugood/node-whisper's package for this platform, without its loader, which would add 250 MB
// of GPU builds. It reports no timings, so its calls are timed.

import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { resolve } from 'node:path'
import type { Case, Peer } from './peer.ts'

type Context = {
  transcribeData(pcm: ArrayBuffer, options: object): { promise: Promise<{ result: string }> }
  release(): Promise<void>
}

type Addon = {
  WhisperContext: new (options: { filePath: string; useGpu: boolean; useFlashAttn: boolean }) => Context
}

const WAV_HEADER_BYTES = 44

export const PACKAGE = `@fugood/node-whisper-${platform()}-${arch()}`

/** @returns null if the package is not installed, as on platforms that it is not pinned for */
/** `npm run tools` installs it there. */
const TOOLS = resolve(import.meta.dir, '../../tools/package.json')

const loadAddon = (): { addon: Addon; version: string } | null => {
  const require = createRequire(TOOLS)
  try {
    return { addon: require(PACKAGE), version: require(`${PACKAGE}/package.json`).version }
  } catch {
    return null
  }
}

export const openNativePackage = async ({ clip, model, threads }: Case): Promise<Peer | null> => {
  const loaded = loadAddon()
  if (!loaded) return null
  const context = new loaded.addon.WhisperContext({
    filePath: model.path,
    useGpu: false,
    useFlashAttn: true,
  })
  const pcm = (await Bun.file(clip.wavFile).arrayBuffer()).slice(WAV_HEADER_BYTES)
  const greedy = { temperature: 0, temperatureInc: 0, bestOf: 1 }
  return {
    name: `whisper.cpp of ${PACKAGE} ${loaded.version} (built for any x64 processor, so without AVX)`,
    async transcribe() {
      const startedAt = performance.now()
      const options = { language: clip.language, maxThreads: threads, ...greedy }
      const { result } = await context.transcribeData(pcm, options).promise
      return { ms: performance.now() - startedAt, text: result.trim() }
    },
    close: () => context.release(),
  }
}
