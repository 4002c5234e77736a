// Batches the decoder steps of windows that run side by side.

import type { WindowCopy } from './cross-attention-cache.ts'
import type { AsyncDecoder, CrossAttention, DecodingStep } from './decoder.ts'
import type { Logits } from './logits.ts'

/** One window's view of the decoder, with sequences of its own. */
export type WindowDecoder = {
  /** how many sequences it decodes side by side */
  maxSequences: number
  frames(): number
  reset(sequenceId: number): void
  copy(from: number, to: number): void
  length(sequenceId: number): number
  /**
   * Appends to different sequences.
   * @returns for each step with `needsLogits` the logits after its last token; views that are valid until the next call
   * @throws RangeError if a sequence would become longer than the model's textTokens
   */
  advance(steps: readonly DecodingStep[]): Promise<Logits[]>
  /** of the tokens from position `from` on */
  alignment(sequenceId: number, from: number): CrossAttention
}

export type BatchMember = {
  decoder: WindowDecoder
  /** Sets the window to the result of `encode`, which has exclusive use of the kernels' memory. */
  setWindow(encode: () => Promise<{ encoded: number; frames: number }>): Promise<void>
  copyWindow(): WindowCopy
  restoreWindow(window?: WindowCopy): void
  /** leaves the batch; the others no longer wait for its steps */
  leave(): void
}

export type BatchScheduler = {
  /** @param hasPrecedence pauses all other windows between two steps until this one leaves */
  join(slot: number, hasPrecedence: boolean): BatchMember
}

type Window = {
  hasPrecedence: boolean
  /** it was answered, or has just joined, and has not requested its next step yet */
  isUndecided: boolean
}

type Encoding = { window: Window; run: () => Promise<void>; done: PromiseWithResolvers<void> }
type PendingStep = {
  window: Window
  steps: DecodingStep[]
  answer: PromiseWithResolvers<Logits[]>
}

/**
 * Encodes waiting windows before decoding, so that a batch is as large as possible. The decoder waits for every active
 * window's next step, because its logits are views that the next call overwrites.
 */
export const createBatchScheduler = (decoder: AsyncDecoder): BatchScheduler => {
  const windows = new Set<Window>()
  const encodings: Encoding[] = []
  const pendingSteps: PendingStep[] = []
  let isBusy = false

  const runNext = () => {
    if (isBusy || [...windows].some(({ isUndecided }) => isUndecided)) return
    const isPreempted = [...windows].some(({ hasPrecedence }) => hasPrecedence)
    const mayRun = ({ window }: { window: Window }) => !isPreempted || window.hasPrecedence
    const encoding = encodings.findIndex(mayRun)
    if (encoding >= 0) return void runEncoding(encodings.splice(encoding, 1)[0]!)
    const batch = pendingSteps.filter(mayRun)
    for (const one of batch) pendingSteps.splice(pendingSteps.indexOf(one), 1)
    if (batch.length > 0) void decode(batch)
  }

  const runEncoding = async ({ window, run, done }: Encoding) => {
    isBusy = true
    const failure = await run().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    isBusy = false
    window.isUndecided = true
    if (failure) done.reject(failure.error)
    else done.resolve()
  }

  const decode = async (batch: PendingStep[]) => {
    isBusy = true
    try {
      const logits = await decoder.advance(batch.flatMap(({ steps }) => steps))
      for (const { steps, answer } of batch) {
        answer.resolve(logits.splice(0, steps.filter(({ needsLogits }) => needsLogits !== false).length))
      }
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
    isBusy = false
    for (const { window } of batch) window.isUndecided = true
  }

  const join = (slot: number, hasPrecedence: boolean): BatchMember => {
    const window: Window = { hasPrecedence, isUndecided: true }
    windows.add(window)
    const first = slot * decoder.sequencesPerSlot

    const requested = () => {
      window.isUndecided = false
      // Deferred, so that requests made in the same turn share a batch.
      queueMicrotask(runNext)
    }

    return {
      decoder: {
        maxSequences: decoder.sequencesPerSlot,
        frames: () => decoder.frames(slot),
        reset: (sequenceId) => decoder.reset(first + sequenceId),
        copy: (from, to) => decoder.copy(first + from, first + to),
        length: (sequenceId) => decoder.length(first + sequenceId),
        async advance(own) {
          const steps = own.map((step) => ({ ...step, sequenceId: first + step.sequenceId }))
          steps.forEach(decoder.checkCapacity)
          const answer = Promise.withResolvers<Logits[]>()
          pendingSteps.push({ window, steps, answer })
          requested()
          return answer.promise
        },
        alignment: (sequenceId, from) => decoder.alignment(first + sequenceId, from),
      },
      setWindow(encode) {
        const done = Promise.withResolvers<void>()
        const run = async () => {
          const { encoded, frames } = await encode()
          await decoder.setWindow(slot, encoded, frames)
        }
        encodings.push({ window, run, done })
        requested()
        return done.promise
      },
      copyWindow: () => decoder.copyWindow(slot),
      restoreWindow: (copy) => decoder.restoreWindow(slot, copy),
      leave() {
        windows.delete(window)
        queueMicrotask(runNext)
      },
    }
  }

  return { join }
}
