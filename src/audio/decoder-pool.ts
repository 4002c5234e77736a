// Idle decoder processes: usually one, and while FFmpeg is in use as many as can work at once.

import { type DecoderChild, startDecoderChild } from './decoder-child.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type DecoderPool = {
  /** an idle process, or a new one */
  take(): DecoderChild
  /**
   * Returns a process to the pool. A used process is warmer than a new one even if it failed to decode its recording:
   * damage to a codec's memory disappears with the codec's instance. Never return a process that did not report.
   */
  giveBack(child: DecoderChild, use: { samples: number; usedFfmpeg: boolean }): void
  /** starts a process if none is idle */
  refill(options: { preloadFfmpeg: boolean }): void
  /** resolves when a process is ready */
  warm(): Promise<void>
  close(): Promise<void>
}

type Wear = {
  samples: number
  /** runs since the last use of FFmpeg; null if FFmpeg is not compiled */
  cooling: Timer | null
  cooled: boolean
}

/** A process is replaced after ten minutes of audio, to free memory that its decoders leaked. */
const WORN_SAMPLES = 600 * PCM_SAMPLE_RATE
/** The minimum that a recording counts for. */
const MIN_SAMPLES = PCM_SAMPLE_RATE
/** A process with FFmpeg compiled takes 150 MB. Recordings that need it come in runs, then not for hours. */
const FFMPEG_KEPT_MS = 60_000

/**
 * @param most maximum number of idle processes
 * @param ffmpegKeptMs a process with FFmpeg compiled that no recording needed for this long is replaced by a small one
 */
export function createDecoderPool(
  most: number,
  ffmpegKeptMs = FFMPEG_KEPT_MS,
  decodersFolder: string | null = null,
): DecoderPool {
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
      // A busy process is checked in `giveBack`.
      if (!waiting.includes(child)) return
      waiting = waiting.filter((other) => other !== child)
      void child.kill()
      refill({ preloadFfmpeg: false })
    }, ffmpegKeptMs)
    wear.cooling.unref()
  }

  function refill({ preloadFfmpeg }: { preloadFfmpeg: boolean }): void {
    if (waiting.length > 0 || most === 0) return
    const child = startDecoderChild({ preloadFfmpeg, decodersFolder })
    if (preloadFfmpeg) keepCompiled(child)
    waiting.push(child)
  }

  return {
    refill,
    take() {
      waiting = waiting.filter((child) => child.alive())
      const taken = waiting.find((child) => wearOf(child).cooling !== null) ?? waiting[0]
      waiting = waiting.filter((child) => child !== taken)
      return taken ?? startDecoderChild({ preloadFfmpeg: false, decodersFolder })
    },
    giveBack(child, { samples, usedFfmpeg }) {
      const wear = wearOf(child)
      wear.samples += Math.max(MIN_SAMPLES, samples)
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
