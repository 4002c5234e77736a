// whisper.cpp in WebAssembly, by the server's engine for it. Always uses the full window; may fall back to other
// temperatures, which none of the clips need.

import { createShoutEngine } from '../../../src/engine/create-engine.ts'
import type { Case, Peer } from './peer.ts'

export const openShout = async ({ clip, model, threads }: Case): Promise<Peer> => {
  const engine = createShoutEngine({ threads, idleUnloadMs: () => 3_600_000 })
  const loaded = await engine.load(model)
  if (!loaded.ok) throw new Error(`shout: ${loaded.failure.message}`)
  return {
    name: `shout ${engine.info().version}`,
    async transcribe() {
      const startedAt = performance.now()
      const result = await engine.transcribe({
        model,
        samples: clip.samples,
        language: clip.language,
        task: 'transcribe',
        prompt: null,
        signal: new AbortController().signal,
      })
      if (!result.ok) throw new Error(`shout: ${result.failure.message}`)
      const text = result.value.segments.map((segment) => segment.text.trim()).join(' ')
      return { ms: performance.now() - startedAt, text }
    },
    close: () => engine.close(),
  }
}
