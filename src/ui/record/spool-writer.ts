// Writes a recording into the spool second by second; blocks that the spool refuses stay in memory.

import { addToSpool, type Spooled, saveSpooled, spooledBlocks } from './spool.ts'

export type SpoolWriter = {
  push(samples: Int16Array): void
  /** resolves when all earlier samples are on disk, or in memory if that fails */
  flush(): Promise<void>
  /** all of it, in order. @throws if the browser does not return what it stored */
  blocks(): Promise<Int16Array<ArrayBuffer>[]>
}

/** @param onFault called once, when the browser refuses to store more */
export function createSpoolWriter(recording: Spooled, onFault: () => void): SpoolWriter {
  const { id, rate } = recording
  const inMemory = new Map<number, Int16Array<ArrayBuffer>>()
  let block = new Int16Array(rate)
  let filled = 0
  let index = 0
  let isFaulty = false
  const fault = () => {
    if (!isFaulty) onFault()
    isFaulty = true
  }
  let writing = saveSpooled(recording).catch(fault)

  const write = () => {
    if (filled === 0) return
    const written = { id, index, samples: block.slice(0, filled) }
    filled = 0
    index += 1
    // Kept in memory until the write succeeds, so that each block is always in one of the two.
    inMemory.set(written.index, written.samples)
    writing = writing.then(() => addToSpool(written)).then(() => void inMemory.delete(written.index), fault)
  }

  return {
    push(samples) {
      let rest = samples
      while (rest.length > 0) {
        const part = rest.subarray(0, rate - filled)
        block.set(part, filled)
        filled += part.length
        rest = rest.subarray(part.length)
        if (filled < rate) continue
        write()
        block = new Int16Array(rate)
      }
    },
    async flush() {
      write()
      await writing
    },
    async blocks() {
      const stored = inMemory.size === index ? [] : await spooledBlocks(id)
      const all = new Map([...stored.map((one) => [one.index, one.samples] as const), ...inMemory])
      return [...all].sort(([one], [other]) => one - other).map(([, samples]) => samples)
    },
  }
}
