// Schedules tasks on a shared resource: some need it exclusively, some run side by side.

/**
 * `alone`: exclusive. `first`: one at a time. `last`: one at a time, after all others that wait. `beside`: as many at a time
 * as the resource allows, also while a `first` or a `last` runs.
 */
export type Turn = 'alone' | 'first' | 'last' | 'beside'

export type Turns = {
  /**
   * Starts the task when no conflicting task runs and no earlier `alone` task waits. A task aborted while it waits never
   * starts and resolves to null.
   * @param turn re-evaluated each time the task could start
   */
  add<T>(turn: () => Turn, run: () => Promise<T>, signal?: AbortSignal): Promise<T | null>
  /** waiting and running tasks */
  size(): number
}

type Waiting = { turn: () => Turn; start: (whenOver: () => void) => void }

/** @param most how many `beside` tasks run at once */
export const createTurns = (most: () => number): Turns => {
  const waiting: Waiting[] = []
  const running: Record<Turn, number> = { alone: 0, first: 0, last: 0, beside: 0 }
  const runs = () => running.alone + running.first + running.last + running.beside

  const mayStart = (turn: Turn) => {
    if (turn === 'alone') return runs() === 0
    if (running.alone > 0) return false
    return turn === 'beside' ? running.beside < most() : running.first + running.last === 0
  }

  /** First come, first served, with `last` tasks at the end. No task overtakes a waiting `alone` task. */
  const startNext = () => {
    const evaluated = waiting.map((entry) => ({ entry, turn: entry.turn() }))
    const inOrder = [
      ...evaluated.filter(({ turn }) => turn !== 'last'),
      ...evaluated.filter(({ turn }) => turn === 'last'),
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
