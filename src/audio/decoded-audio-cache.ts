// Shares decoded recordings between several readers, which may read while decoding is under way.

import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { once } from '../lib/once.ts'
import { nullIfMissing } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import type { AudioKind, PcmFile } from './audio-file.ts'
import type { AudioDecoder, DecodeFailure } from './decode.ts'
import { PCM_BYTES_PER_SAMPLE, readPcm } from './pcm.ts'

export type DecodedAudio = {
  /** waits until this many samples can be read, or all of a shorter recording */
  reach(samples: number): Promise<Result<void, DecodeFailure>>
  /** waits until all samples can be read, and returns their number */
  count(): Promise<Result<number, DecodeFailure>>
  /** the samples in this range that are decoded so far */
  read(fromSample: number, toSample: number): Promise<Float32Array>
  /** safe to call twice */
  leave(): void
}

export type DecodedAudioCache = {
  /** the caller must call `leave` on the result */
  open(recording: { path: string; kind: AudioKind }): DecodedAudio
  /** discards an unused recording whose file was deleted, so that no decoded copy of it remains */
  discardDeleted(): void
  /** discards everything and waits for it */
  close(): Promise<void>
}

export type RetentionTimes = {
  /** after the last reader leaves during decoding: a player that seeks leaves and returns at once */
  unfinishedMs: number
  /** after the last reader leaves a recording that took long to decode */
  finishedMs: number
  /** a recording that decoded faster than this is not retained */
  worthMs: number
  /** a reader that reads nothing for this long counts as gone, because some never call `leave` */
  unreadMs: number
}

const KEPT: RetentionTimes = { unfinishedMs: 2000, finishedMs: 60_000, worthMs: 1000, unreadMs: 600_000 }
/** How often a reader checks the growing output file. */
const POLL_EVERY_MS = 15

type Shared = {
  path: string
  join(): DecodedAudio
  end(): Promise<void>
}

/** Retains at most one recording without readers: an hour of samples takes 230 MB. */
export function createDecodedAudioCache(
  decoder: Pick<AudioDecoder, 'decode'>,
  times: RetentionTimes = KEPT,
): DecodedAudioCache {
  const sounds = new Map<string, Shared>()
  let idle: Shared | null = null

  function begin(path: string, kind: AudioKind): Shared {
    const stop = new AbortController()
    const readers = new Set<object>()
    let output = ''
    let outcome: Result<PcmFile, DecodeFailure> | null = null
    let expiry: Timer | undefined
    const onOutput = (where: string) => {
      output = where
    }
    const decoded = decoder.decode({ path, kind, signal: stop.signal, onOutput }).then((ended) => {
      outcome = ended
      if (!ended.ok) remove()
      else if (readers.size === 0) retain()
      return ended
    })
    // Readers get the error; without a reader it must not crash the process.
    decoded.catch(() => remove())

    function remove(): void {
      clearTimeout(expiry)
      if (sounds.get(path) === shared) sounds.delete(path)
      if (idle === shared) idle = null
    }
    function retentionMs(): number {
      if (outcome === null) return times.unfinishedMs
      return outcome.ok && outcome.value.decodeMs >= times.worthMs ? times.finishedMs : 0
    }
    function retain(): void {
      clearTimeout(expiry)
      if (retentionMs() === 0 || !existsSync(path)) return void shared.end()
      if (idle !== null && idle !== shared) void idle.end()
      idle = shared
      expiry = setTimeout(shared.end, retentionMs())
      expiry.unref()
    }

    async function decodedSamples(): Promise<number> {
      if (outcome?.ok) return outcome.value.samples
      // Null: the decoder has not started yet, or its output was removed.
      const found = await stat(output).catch(nullIfMissing)
      return Math.floor((found?.size ?? 0) / PCM_BYTES_PER_SAMPLE)
    }
    async function reach(samples: number): Promise<Result<void, DecodeFailure>> {
      while (outcome === null && (await decodedSamples()) < samples)
        await Promise.race([decoded, pause(POLL_EVERY_MS, stop.signal)])
      return outcome?.ok === false ? outcome : succeed(undefined)
    }

    const shared: Shared = {
      path,
      join() {
        clearTimeout(expiry)
        if (idle === shared) idle = null
        const reader = {}
        readers.add(reader)
        const leave = once(() => {
          clearTimeout(inactivity)
          readers.delete(reader)
          if (readers.size === 0) retain()
        })
        const inactivity = setTimeout(leave, times.unreadMs)
        inactivity.unref()
        return {
          reach,
          leave,
          async count() {
            const ended = await decoded
            return ended.ok ? succeed(ended.value.samples) : fail(ended.failure)
          },
          async read(fromSample, toSample) {
            inactivity.refresh()
            return await readPcm({ path: output, samples: await decodedSamples() }, fromSample, toSample)
          },
        }
      },
      async end() {
        remove()
        stop.abort()
        const ended = await decoded.catch(() => null)
        if (ended?.ok) await ended.value.dispose()
      },
    }
    sounds.set(path, shared)
    return shared
  }

  return {
    open: ({ path, kind }) => (sounds.get(path) ?? begin(path, kind)).join(),
    discardDeleted() {
      if (idle !== null && !existsSync(idle.path)) void idle.end()
    },
    async close() {
      await Promise.all([...sounds.values()].map((shared) => shared.end()))
    },
  }
}
