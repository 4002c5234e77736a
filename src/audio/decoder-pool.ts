// The decoder processes that are started and wait: one at least, and while FFmpeg is needed as many as work at once.
// Which recordings they get, and what becomes of a failure, is decode.ts.

import { type DecoderChild, startDecoderChild } from './decoder-child.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type DecoderPool = {
  /** one that waits, or a new one */
  take(): DecoderChild
  /**
   * One that has worked is warmer than any new one, also when it found nothing in its recording: whatever that did to
   * a codec's memory is gone with the codec's instance. One that did not answer must never come back.
   */
  giveBack(child: DecoderChild, use: { samples: number; usedFfmpeg: boolean }): void
  /** has one started where none waits */
  refill(options: { preloadFfmpeg: boolean }): void
  /** resolves when one is up */
  warm(): Promise<void>
  close(): Promise<void>
}

type Wear = {
  samples: number
  /** runs from its last use of FFmpeg; null where that is not compiled */
  cooling: Timer | null
  cooled: boolean
}

/** After ten minutes of sound a process is replaced: whatever memory its decoders lost goes with it. */
const WORN_SAMPLES = 600 * PCM_SAMPLE_RATE
/** What a recording counts for at least. */
const LEAST_SAMPLES = PCM_SAMPLE_RATE
/** With FFmpeg compiled it holds 150 MB; recordings that need it come in runs, then not for hours. */
const FFMPEG_KEPT_MS = 60_000

/**
 * @param most that may wait
 * @param ffmpegKeptMs after which a process that has FFmpeg compiled, and nobody needed it, gives way to a small one
 */
export function createDecoderPool(most: number, ffmpegKeptMs = FFMPEG_KEPT_MS): DecoderPool {
  let waiting: DecoderChild[] = []
  const wears = new WeakMap<DecoderChild, Wear>()
  const wearOf = (child: DecoderChild): Wear => {
    const known = wears.get(child)
    if (known !== undefined) return known
    const fresh: Wear = { samples: 0, cooling: null, cooled: false }
    wears.set(child, fresh)
    return fresh
  }

  function keepCompiled(child: DecoderChild): void {
    const wear = wearOf(child)
    clearTimeout(wear.cooling ?? undefined)
    wear.cooled = false
    wear.cooling = setTimeout(() => {
      wear.cooled = true
      // One that works is looked at when it is given back.
      if (!waiting.includes(child)) return
      waiting = waiting.filter((other) => other !== child)
      void child.kill()
      refill({ preloadFfmpeg: false })
    }, ffmpegKeptMs)
    wear.cooling.unref()
  }

  function refill({ preloadFfmpeg }: { preloadFfmpeg: boolean }): void {
    if (waiting.length > 0 || most === 0) return
    const child = startDecoderChild({ preloadFfmpeg })
    if (preloadFfmpeg) keepCompiled(child)
    waiting.push(child)
  }

  return {
    refill,
    take() {
      waiting = waiting.filter((child) => child.alive())
      const taken = waiting.find((child) => wearOf(child).cooling !== null) ?? waiting[0]
      waiting = waiting.filter((child) => child !== taken)
      return taken ?? startDecoderChild({ preloadFfmpeg: false })
    },
    giveBack(child, { samples, usedFfmpeg }) {
      const wear = wearOf(child)
      wear.samples += Math.max(LEAST_SAMPLES, samples)
      if (usedFfmpeg) keepCompiled(child)
      const places = wear.cooling === null ? Math.min(1, most) : most
      const isWorn = wear.samples >= WORN_SAMPLES || wear.cooled
      if (isWorn || waiting.length >= places) void child.kill()
      else waiting.push(child)
    },
    async warm() {
      refill({ preloadFfmpeg: false })
      await waiting[0]?.ready
    },
    async close() {
      const all = waiting
      waiting = []
      for (const child of all) clearTimeout(wearOf(child).cooling ?? undefined)
      await Promise.all(all.map((child) => child.kill()))
    },
  }
}
