// Batches the decoder steps of windows that run side by side.

import type { KeptWindow } from './cross-attention-cache.ts'
import type { CrossAttention, Decoder, DecodingStep } from './decoder.ts'
import type { Logits } from './logits.ts'

/** One window's view of the decoder, with slots of its own. */
export type WindowDecoder = {
  /** how many sequences it decodes side by side */
  slots: number
  frames(): number
  reset(slot: number): void
  copy(from: number, to: number): void
  length(slot: number): number
  /**
   * Appends to the sequences of different slots.
   * @returns for each step with `asks` the logits after its last token; views that are valid until the next call
   * @throws RangeError if a sequence would become longer than the model's textTokens
   */
  advance(steps: readonly DecodingStep[]): Promise<Logits[]>
  /** of the tokens from position `from` on */
  alignment(slot: number, from: number): CrossAttention
}

export type Seat = {
  decoder: WindowDecoder
  /** Sets the window to the result of `encode`, which has exclusive use of the kernels' memory. */
  listen(encode: () => Promise<{ encoded: number; frames: number }>): Promise<void>
  keep(): KeptWindow
  listenAgain(window?: KeptWindow): void
  /** frees the seat; the others no longer wait for its steps */
  leave(): void
}

export type InStep = {
  /** @param goesFirst pauses all other windows between two steps until this one leaves */
  take(place: number, goesFirst: boolean): Seat
}

type Window = {
  goesFirst: boolean
  /** it was answered, or has just joined, and has not requested its next step yet */
  isThinking: boolean
}

type Encoding = { window: Window; run: () => Promise<void>; done: PromiseWithResolvers<void> }
type Asking = {
  window: Window
  steps: DecodingStep[]
  answer: PromiseWithResolvers<Logits[]>
}

/**
 * Encodes waiting windows before decoding, so that a batch is as large as possible. The decoder waits for every active
 * window's next step, because its logits are views that the next call overwrites.
 */
export const createInStep = (decoder: Decoder): InStep => {
  const windows = new Set<Window>()
  const encodings: Encoding[] = []
  const asking: Asking[] = []
  let isBusy = false

  const goOn = () => {
    if (isBusy || [...windows].some(({ isThinking }) => isThinking)) return
    const isHeldUp = [...windows].some(({ goesFirst }) => goesFirst)
    const mayGoOn = ({ window }: { window: Window }) => !isHeldUp || window.goesFirst
    const encoding = encodings.findIndex(mayGoOn)
    if (encoding >= 0) return void runEncoding(encodings.splice(encoding, 1)[0]!)
    const together = asking.filter(mayGoOn)
    for (const one of together) asking.splice(asking.indexOf(one), 1)
    if (together.length > 0) decode(together)
  }

  const runEncoding = async ({ window, run, done }: Encoding) => {
    isBusy = true
    const failure = await run().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    isBusy = false
    window.isThinking = true
    if (failure) done.reject(failure.error)
    else done.resolve()
  }

  const decode = (together: Asking[]) => {
    for (const { window } of together) window.isThinking = true
    try {
      const logits = decoder.advance(together.flatMap(({ steps }) => steps))
      for (const { steps, answer } of together) {
        answer.resolve(logits.splice(0, steps.filter(({ asks }) => asks !== false).length))
      }
    } catch (error) {
      for (const { answer } of together) answer.reject(error)
    }
  }

  const take = (place: number, goesFirst: boolean): Seat => {
    const window: Window = { goesFirst, isThinking: true }
    windows.add(window)
    const first = place * decoder.slotsOfPlace

    const hasSaid = () => {
      window.isThinking = false
      // Deferred, so that requests made in the same turn share a batch.
      queueMicrotask(goOn)
    }

    return {
      decoder: {
        slots: decoder.slotsOfPlace,
        frames: () => decoder.frames(place),
        reset: (slot) => decoder.reset(first + slot),
        copy: (from, to) => decoder.copy(first + from, first + to),
        length: (slot) => decoder.length(first + slot),
        async advance(own) {
          const steps = own.map((step) => ({ ...step, slot: first + step.slot }))
          steps.forEach(decoder.checkCapacity)
          const answer = Promise.withResolvers<Logits[]>()
          asking.push({ window, steps, answer })
          hasSaid()
          return answer.promise
        },
        alignment: (slot, from) => decoder.alignment(first + slot, from),
      },
      listen(encode) {
        const done = Promise.withResolvers<void>()
        const run = async () => {
          const { encoded, frames } = await encode()
          await decoder.listen(place, encoded, frames)
        }
        encodings.push({ window, run, done })
        hasSaid()
        return done.promise
      },
      keep: () => decoder.keep(place),
      listenAgain: (kept) => decoder.listenAgain(place, kept),
      leave() {
        windows.delete(window)
        queueMicrotask(goOn)
      },
    }
  }

  return { take }
}
