// Opens the kernels: their memory, their threads, and the call that runs a kernel on all threads.

import { ownFile } from '../../src/lib/own-files.ts'
import { type KERNEL, RESULT_AT, SCRATCH_AT, SCRATCH_BYTES_AT } from './interface.ts'
import { type KernelArguments, writeArguments } from './kernel-call.ts'
import type { KernelThread } from './kernel-thread.ts'
import { MODULE_FILE } from './module-file.ts'

export type Kernels = {
  threads: number
  /** the kernels' memory; request new views after every allocation, which may grow it */
  bytes(): Uint8Array
  floats(): Float32Array
  /** @returns the first byte of zeroed memory, a multiple of 64; retained until `release` or `close` */
  allocate(bytes: number): number
  /** `release(mark())` frees everything allocated after the `mark` */
  mark(): number
  release(to: number): void
  /**
   * Runs a kernel over its chunks on all threads and returns when the last chunk is finished.
   * @returns the kernel's result word, or 0 if it has none
   */
  run<K extends KERNEL>(kernel: K, chunks: number, values: KernelArguments[K]): number
  close(): Promise<void>
}

export class OutOfKernelMemory extends Error {}

/** The kernels' threads do not start on this machine; a single thread may still work. */
export class ThreadsBroken extends Error {}

const PAGE_BYTES = 65_536
const MAX_PAGES = 65_536
export const MAX_MEMORY_BYTES = PAGE_BYTES * MAX_PAGES
export const ALIGNMENT = 64
const RESULT_WORD = RESULT_AT / 4
/** The module's own constants end below this. */
const FIRST_FREE_BYTE = 65_536
/**
 * Chunks are counted in 16 bits, and each thread that finds none left increments the counter once or twice more. The margin
 * is for these: a carry would give a late thread a chunk of the next job (assembly/pool.ts).
 */
const MAX_CHUNKS = 65_000
/** Starting takes 30 ms; threads that have not started by the deadline never do. */
const START_DEADLINE_MS = 20_000

export type KernelOptions = {
  threads: number
  /** each thread's own memory for a kernel's intermediate results */
  scratchBytes: number
}

type Exports = { run(kernel: number, chunks: number): void; stop(): void }

export const openKernels = async ({ threads, scratchBytes }: KernelOptions): Promise<Kernels> => {
  const module = await WebAssembly.compile(await Bun.file(MODULE_FILE).bytes())
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES, shared: true })
  const { exports } = await WebAssembly.instantiate(module, { env: { memory, abort } })
  const { run, stop } = exports as Exports
  // Growing keeps the first bytes of the memory in place.
  const words = new Uint32Array(memory.buffer, 0, FIRST_FREE_BYTE / 4)
  const views = { words, floats: new Float32Array(memory.buffer, 0, words.length) }
  let end = FIRST_FREE_BYTE
  /** all memory above it is still zero */
  let highest = end

  const allocate = (bytes: number): number => {
    const at = end
    const next = at + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
    const missing = Math.ceil((next - memory.buffer.byteLength) / PAGE_BYTES)
    if (missing > 0) growBy(memory, missing)
    if (at < highest) new Uint8Array(memory.buffer, at, Math.min(next, highest) - at).fill(0)
    highest = Math.max(highest, next)
    end = next
    return at
  }

  const scratch = allocate(scratchBytes * threads)
  words[SCRATCH_AT / 4] = scratch
  words[SCRATCH_BYTES_AT / 4] = scratchBytes
  const others = await Promise.all(
    Array.from({ length: threads - 1 }, (_, index) => startThread({ module, memory, thread: index + 1 })),
  )

  return {
    threads,
    bytes: () => new Uint8Array(memory.buffer),
    floats: () => new Float32Array(memory.buffer),
    allocate,
    mark: () => end,
    release: (to) => {
      end = to
    },
    run(kernel, chunks, values) {
      if (chunks <= 0) return 0
      if (chunks > MAX_CHUNKS) throw new Error(`${chunks} chunks are too many`)
      words[RESULT_WORD] = 0
      writeArguments(views, kernel, values)
      run(kernel, chunks)
      return words[RESULT_WORD]!
    },
    async close() {
      stop()
      for (const worker of others) worker.terminate()
    },
  }
}

function growBy(memory: WebAssembly.Memory, pages: number) {
  try {
    memory.grow(pages)
  } catch {
    throw new OutOfKernelMemory('it needs more memory than WebAssembly has')
  }
}

const abort = () => {
  throw new Error('a kernel gave up')
}

/** Resolves when the thread is ready to serve. */
const startThread = (start: KernelThread) => {
  const { promise, resolve, reject } = Promise.withResolvers<Worker>()
  const worker = new Worker(ownFile('wasm/whisper/kernel-thread.ts'))
  worker.onmessage = () => {
    clearTimeout(timer)
    resolve(worker)
  }
  worker.onerror = ({ message }) => reject(new ThreadsBroken(`a thread did not start: ${message}`))
  const late = () => reject(new ThreadsBroken('a thread did not start in time'))
  const timer = setTimeout(late, START_DEADLINE_MS)
  worker.postMessage(start)
  return promise
}
