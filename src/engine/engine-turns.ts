// Who may have the engine now: tasks that need it alone, one after another, and some side by side.
// Knows nothing of speech or processes.

/**
 * `alone`: beside nothing else. `first`: one at a time. `beside`: as many at a time as there is room for. Those of the
 * last two kinds run beside each other.
 */
export type Turn = 'alone' | 'first' | 'beside'

export type EngineTurns = {
  /**
   * Starts when nothing that it cannot run beside is running, or asked for to be run alone before it. Aborted while it
   * waits, it never starts and the answer is null.
   * @param turn asked anew each time it could start
   */
  add<T>(turn: () => Turn, run: () => Promise<T>, signal?: AbortSignal): Promise<T | null>
  /** tasks that wait or run */
  size(): number
}

type Waiting = { turn: () => Turn; start: (whenOver: () => void) => void }

/** @param most how many tasks of the kind `beside` run at once */
export const createEngineTurns = (most: () => number): EngineTurns => {
  const waiting: Waiting[] = []
  const running: Record<Turn, number> = { alone: 0, first: 0, beside: 0 }
  const runs = () => running.alone + running.first + running.beside

  const mayStart = (turn: Turn) => {
    if (turn === 'alone') return runs() === 0
    return running.alone === 0 && (turn === 'first' ? running.first === 0 : running.beside < most())
  }

  /** In the order asked; what has to wait to be alone lets nothing pass it. */
  const startNext = () => {
    for (const entry of [...waiting]) {
      const turn = entry.turn()
      if (mayStart(turn)) {
        waiting.splice(waiting.indexOf(entry), 1)
        running[turn] += 1
        entry.start(() => {
          running[turn] -= 1
          startNext()
        })
      } else if (turn === 'alone') return
    }
  }

  const add = <T>(turn: () => Turn, run: () => Promise<T>, signal?: AbortSignal) =>
    new Promise<T | null>((resolve, reject) => {
      if (signal?.aborted) return resolve(null)
      const entry: Waiting = {
        turn,
        start: (whenOver) => {
          signal?.removeEventListener('abort', leave)
          run().finally(whenOver).then(resolve, reject)
        },
      }
      const leave = () => {
        const at = waiting.indexOf(entry)
        if (at < 0) return
        waiting.splice(at, 1)
        resolve(null)
        startNext()
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(entry)
      startNext()
    })

  return { add, size: () => waiting.length + runs() }
}
