// Windows that are heard side by side: what all of them want to know next is asked of the decoder at once.
// Knows neither audio nor text; what a window asks, and what it makes of the answer, is decoding's.

import type { KeptWindow } from './cross-attention-cache.ts'
import type { CrossAttention, Decoder, DecodingStep } from './decoder.ts'
import type { Logits } from './logits.ts'

/** The decoder as one window sees it, whose slots are its own. */
export type WindowDecoder = {
  /** how many sequences can be decoded side by side */
  slots: number
  frames(): number
  reset(slot: number): void
  copy(from: number, to: number): void
  length(slot: number): number
  /**
   * Appends to the sequences of different slots.
   * @returns for each step that asks the logits after its last token; views that are valid until the next call
   * @throws RangeError when a sequence would become longer than the model's textTokens
   */
  advance(steps: readonly DecodingStep[]): Promise<Logits[]>
  /** of the tokens from position `from` on */
  alignment(slot: number, from: number): CrossAttention
}

export type Seat = {
  decoder: WindowDecoder
  /** Has the decoder listen to what `encode` leaves in the kernels' memory, which nobody else uses meanwhile. */
  listen(encode: () => Promise<{ encoded: number; frames: number }>): Promise<void>
  keep(): KeptWindow
  listenAgain(window?: KeptWindow): void
  /** for good; nobody waits for it any more */
  leave(): void
}

export type InStep = {
  /** @param goesFirst all others wait, between two steps, until it has left */
  take(place: number, goesFirst: boolean): Seat
}

type Window = {
  goesFirst: boolean
  /** it was answered, or has just come, and has not said yet what it wants next */
  isThinking: boolean
}

type Encoding = { window: Window; run: () => Promise<void>; done: PromiseWithResolvers<void> }
type Asking = {
  window: Window
  steps: DecodingStep[]
  answer: PromiseWithResolvers<Logits[]>
}

/**
 * A window is encoded before any is decoded further, so that as many as can be are decoded together. Nothing is computed
 * while a window thinks: what it was answered lies in the decoder's memory until it asks again.
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
      // Others may be about to say what they want: they are answered at once.
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
          steps.forEach(decoder.checkRoom)
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
