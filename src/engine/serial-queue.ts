// One task at a time, in the order asked; a task that gave up waiting leaves at once.
// Knows nothing of speech or processes.

type Waiting = { start: () => void }

export type SerialQueue = {
  /** `run` starts when all before it are done. Aborted while waiting, it never starts and the answer is null. */
  add<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T | null>
  /** tasks that wait or run */
  size(): number
}

export const createSerialQueue = (): SerialQueue => {
  const waiting: Waiting[] = []
  let running = 0

  const next = () => {
    const first = waiting.shift()
    if (first) first.start()
    else running = 0
  }

  const add = <T>(run: () => Promise<T>, signal?: AbortSignal) =>
    new Promise<T | null>((resolve, reject) => {
      if (signal?.aborted) return resolve(null)
      const entry: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          run().then(resolve, reject).finally(next)
        },
      }
      const leave = () => {
        const at = waiting.indexOf(entry)
        if (at < 0) return
        waiting.splice(at, 1)
        resolve(null)
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(entry)
      if (running === 0) {
        running = 1
        next()
      }
    })

  return { add, size: () => waiting.length + running }
}
