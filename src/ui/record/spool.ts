// Recordings that the server does not have yet, stored per second in IndexedDB, so that a tab crash or a lost server
// loses at most the last second.

export type Spooled = {
  id: string
  /** samples per second */
  rate: number
  startedAt: Date
  /** `recording` and not held by any tab: it was interrupted */
  state: 'recording' | 'finished' | 'cancelled'
  /** an upload was started; whether it arrived is unknown */
  isAttempted: boolean
}

type Block = { id: string; index: number; samples: Int16Array<ArrayBuffer> }

const DATABASE = 'dictation-recordings'
const VERSION = 1

/** WebKit's database may never answer (WebKit bug 226547); writes are suspended until it does. */
const PATIENCE_MS = 3000
/** All of a long recording is read at once. */
const READING_PATIENCE_MS = 30_000

let isSilent = false

/** @throws if the response takes too long */
function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => {
    isSilent = true
    reject(noAnswer())
  }, patienceMs)
  const settle = () => {
    clearTimeout(timer)
    isSilent = false
  }
  answer.finally(settle).then(resolve, reject)
  return promise
}

const noAnswer = () => new Error('the database of the browser does not answer')

let opened: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('recordings', { keyPath: 'id' })
      request.result.createObjectStore('blocks', { keyPath: ['id', 'index'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  opened.catch(() => (opened = undefined))
  return opened
}

type Stores = { recordings: IDBObjectStore; blocks: IDBObjectStore }

type Work<T> = (stores: Stores) => IDBRequest<T> | null

/** Resolves when the transaction is on disk. @throws if the browser refuses or does not answer */
function transact<T>(mode: IDBTransactionMode, work: Work<T>): Promise<T | null> {
  if (mode === 'readonly') return inTime(transacted(mode, work), READING_PATIENCE_MS)
  return isSilent ? Promise.reject(noAnswer()) : inTime(transacted(mode, work), PATIENCE_MS)
}

async function transacted<T>(mode: IDBTransactionMode, work: Work<T>): Promise<T | null> {
  const transaction = (await database()).transaction(['recordings', 'blocks'], mode)
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  const request = work({
    recordings: transaction.objectStore('recordings'),
    blocks: transaction.objectStore('blocks'),
  })
  await done
  return request === null ? null : request.result
}

const ofRecording = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY])

export const saveSpooled = async (spooled: Spooled): Promise<void> =>
  void (await transact('readwrite', ({ recordings }) => recordings.put(spooled)))

const addToSpool = async (block: Block): Promise<void> =>
  void (await transact('readwrite', ({ blocks }) => blocks.put(block)))

export async function spooledBlocks(id: string): Promise<Block[]> {
  return (await transact<Block[]>('readonly', ({ blocks }) => blocks.getAll(ofRecording(id)))) ?? []
}

/** Each block holds a second, except the last of a finished recording. */
export const spooledSeconds = async (id: string): Promise<number> =>
  (await transact<number>('readonly', ({ blocks }) => blocks.count(ofRecording(id)))) ?? 0

export const removeSpooled = async (id: string): Promise<void> =>
  void (await transact('readwrite', ({ recordings, blocks }) => {
    blocks.delete(ofRecording(id))
    recordings.delete(id)
    return null
  }))

const lockOf = (id: string): string => `dictation-recording-${id}`

/** Marks the recording as handled by this tab. @returns a function that releases it */
export function holdSpooled(id: string): () => void {
  const held = Promise.withResolvers<void>()
  // Rejected if site data is blocked: then no other tab can see the recording either.
  navigator.locks.request(lockOf(id), () => held.promise).catch(() => {})
  return held.resolve
}

/** Recordings that no tab handles: their tab was closed or has crashed. */
export async function leftInSpool(): Promise<Spooled[]> {
  const all = (await transact<Spooled[]>('readonly', ({ recordings }) => recordings.getAll())) ?? []
  const { held = [] } = await navigator.locks.query()
  const names = new Set(held.map(({ name }) => name))
  return all.filter(({ id }) => !names.has(lockOf(id)))
}

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
