// Decoded recordings that several read, already while they are decoded: each once, however many ask for its parts.
// Who reads, and as what, is the caller's; how it is decoded is decode.ts.

import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isMissing } from '../lib/missing-file.ts'
import { once } from '../lib/once.ts'
import { pause } from '../lib/persist.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { AudioKind, PcmFile } from './audio-file.ts'
import type { AudioDecoder, DecodeFailure } from './decode.ts'
import { PCM_BYTES_PER_SAMPLE, readPcm } from './pcm.ts'

export type DecodedSound = {
  /** waits until so many samples can be read, or all there are */
  reach(samples: number): Promise<Result<void, DecodeFailure>>
  /** waits until all can be read, and says how many they are */
  count(): Promise<Result<number, DecodeFailure>>
  /** those that are there */
  read(fromSample: number, toSample: number): Promise<Float32Array>
  /** safe to call twice */
  leave(): void
}

export type DecodedSounds = {
  /** to be left by whoever opens it */
  open(recording: { path: string; kind: AudioKind }): DecodedSound
  /** removes what nobody reads of recordings that are gone: what was deleted is not kept in another shape */
  forgetRemoved(): void
  /** removes what is kept, and waits for it */
  close(): Promise<void>
}

export type KeptTimes = {
  /** of what is still being decoded when its last reader leaves: a player that seeks leaves and comes back at once */
  unfinishedMs: number
  /** of what took long to decode */
  finishedMs: number
  /** decoding that took less is done again */
  worthMs: number
  /** after which a reader who reads nothing is taken to have left: not every one says so */
  unreadMs: number
}

const KEPT: KeptTimes = { unfinishedMs: 2000, finishedMs: 60_000, worthMs: 1000, unreadMs: 600_000 }
/** How often what has come is looked at. */
const LOOK_EVERY_MS = 15

type Shared = {
  path: string
  join(): DecodedSound
  end(): Promise<void>
}

/** Of those that nobody reads one at most is kept: an hour of samples is 230 MB. */
export function createDecodedSounds(
  decoder: Pick<AudioDecoder, 'decode'>,
  times: KeptTimes = KEPT,
): DecodedSounds {
  const sounds = new Map<string, Shared>()
  let unread: Shared | null = null

  function begin(path: string, kind: AudioKind): Shared {
    const stop = new AbortController()
    const readers = new Set<object>()
    let output = ''
    let outcome: Result<PcmFile, DecodeFailure> | null = null
    let forgetting: Timer | undefined
    const onOutput = (where: string) => {
      output = where
    }
    const decoded = decoder.decode({ path, kind, signal: stop.signal, onOutput }).then((ended) => {
      outcome = ended
      if (!ended.ok) forget()
      else if (readers.size === 0) keepAWhile()
      return ended
    })
    // Who reads is told; that nobody does any more is no crash.
    decoded.catch(() => forget())

    function forget(): void {
      clearTimeout(forgetting)
      if (sounds.get(path) === shared) sounds.delete(path)
      if (unread === shared) unread = null
    }
    function keptMs(): number {
      if (outcome === null) return times.unfinishedMs
      return outcome.ok && outcome.value.decodeMs >= times.worthMs ? times.finishedMs : 0
    }
    function keepAWhile(): void {
      clearTimeout(forgetting)
      if (keptMs() === 0 || !existsSync(path)) return void shared.end()
      if (unread !== null && unread !== shared) void unread.end()
      unread = shared
      forgetting = setTimeout(shared.end, keptMs())
      forgetting.unref()
    }

    async function come(): Promise<number> {
      if (outcome?.ok) return outcome.value.samples
      try {
        return Math.floor((await stat(output)).size / PCM_BYTES_PER_SAMPLE)
      } catch (error) {
        // Before the decoder began, and when what it wrote was removed.
        if (isMissing(error)) return 0
        throw error
      }
    }
    async function reach(samples: number): Promise<Result<void, DecodeFailure>> {
      while (outcome === null && (await come()) < samples)
        await Promise.race([decoded, pause(LOOK_EVERY_MS, stop.signal)])
      return outcome?.ok === false ? outcome : succeed(undefined)
    }

    const shared: Shared = {
      path,
      join() {
        clearTimeout(forgetting)
        if (unread === shared) unread = null
        const reader = {}
        readers.add(reader)
        const leave = once(() => {
          clearTimeout(silence)
          readers.delete(reader)
          if (readers.size === 0) keepAWhile()
        })
        const silence = setTimeout(leave, times.unreadMs)
        silence.unref()
        return {
          reach,
          leave,
          async count() {
            const ended = await decoded
            return ended.ok ? succeed(ended.value.samples) : fail(ended.failure)
          },
          async read(fromSample, toSample) {
            silence.refresh()
            return await readPcm({ path: output, samples: await come() }, fromSample, toSample)
          },
        }
      },
      async end() {
        forget()
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
    forgetRemoved() {
      if (unread !== null && !existsSync(unread.path)) void unread.end()
    },
    async close() {
      await Promise.all([...sounds.values()].map((shared) => shared.end()))
    },
  }
}
