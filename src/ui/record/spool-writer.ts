// Writes a recording into the spool while it is made, a second at a time; what the spool does not take stays in memory.
// The spool is spool.ts.

import { addToSpool, type Spooled, saveSpooled, spooledBlocks } from './spool.ts'

export type SpoolWriter = {
  push(samples: Int16Array): void
  /** resolves when what was pushed before is on the disk, or in memory where that fails */
  flush(): Promise<void>
  /** all of it, in order. @throws where the browser does not give back what it stored */
  blocks(): Promise<Int16Array<ArrayBuffer>[]>
}

/** @param onFault called once, when the browser refuses to keep more */
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
    // In memory until it is on the disk, so that it is never in neither.
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
      const kept = inMemory.size === index ? [] : await spooledBlocks(id)
      const all = new Map([...kept.map((one) => [one.index, one.samples] as const), ...inMemory])
      return [...all].sort(([one], [other]) => one - other).map(([, samples]) => samples)
    },
  }
}
