// whisper.cpp in WebAssembly, by the server's engine for it. Always uses the full window; may fall back to other
// temperatures, which none of the clips need.

import { createShoutEngine } from '../../../src/engine/shout-engine.ts'
import type { Case, Peer } from './peer.ts'

export const openShout = async ({ clip, model, threads }: Case): Promise<Peer> => {
  const engine = createShoutEngine({ threads, idleUnloadMs: () => 3_600_000 })
  const loaded = await engine.load(model)
  if (!loaded.ok) throw new Error(`shout: ${loaded.failure.message}`)
  return {
    name: `shout ${engine.info().version}`,
    async hear() {
      const startedAt = performance.now()
      const heard = await engine.transcribe({
        model,
        samples: clip.samples,
        language: clip.language,
        task: 'transcribe',
        prompt: null,
        signal: new AbortController().signal,
      })
      if (!heard.ok) throw new Error(`shout: ${heard.failure.message}`)
      const text = heard.value.segments.map((segment) => segment.text.trim()).join(' ')
      return { ms: performance.now() - startedAt, text }
    },
    close: () => engine.close(),
  }
}
