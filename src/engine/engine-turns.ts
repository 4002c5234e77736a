// Who may have the engine now: tasks that need it alone, one after another, and some side by side.
// Knows nothing of speech or processes.

/**
 * `alone`: beside nothing else. `first`: one at a time. `last`: the same, when no other waits. `beside`: as many at a time
 * as there is room for. Those of the last kinds run beside those of the two before.
 */
export type Turn = 'alone' | 'first' | 'last' | 'beside'

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
  const running: Record<Turn, number> = { alone: 0, first: 0, last: 0, beside: 0 }
  const runs = () => running.alone + running.first + running.last + running.beside

  const mayStart = (turn: Turn) => {
    if (turn === 'alone') return runs() === 0
    if (running.alone > 0) return false
    return turn === 'beside' ? running.beside < most() : running.first + running.last === 0
  }

  /** In the order asked, but for the last; what has to wait to be alone lets nothing pass it. */
  const startNext = () => {
    const asked = waiting.map((entry) => ({ entry, turn: entry.turn() }))
    const inOrder = [
      ...asked.filter(({ turn }) => turn !== 'last'),
      ...asked.filter(({ turn }) => turn === 'last'),
    ]
    for (const { entry, turn } of inOrder) {
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
