// Which models are being worked with at this moment, so that none is taken away under a recording.
// Knows files, not engines or jobs.

export type ModelUse = {
  /** counts the model as used until the work has ended */
  during<T>(model: { path: string }, work: () => Promise<T>): Promise<T>
  isInUse(path: string): boolean
  isAnyInUse(): boolean
}

export function createModelUse(): ModelUse {
  const users = new Map<string, number>()
  const add = (path: string, by: number) => {
    const count = (users.get(path) ?? 0) + by
    if (count > 0) users.set(path, count)
    else users.delete(path)
  }
  return {
    async during({ path }, work) {
      add(path, 1)
      try {
        return await work()
      } finally {
        add(path, -1)
      }
    },
    isInUse: (path) => users.has(path),
    isAnyInUse: () => users.size > 0,
  }
}
