// Counts the users of each model, so that none is removed during a transcription.

export type ModelUse = {
  /** counts the model as used until `work` settles */
  during<T>(model: { path: string }, work: () => Promise<T>): Promise<T>
  isInUse(path: string): boolean
  isAnyInUse(): boolean
  /** calls `listen` whenever a use begins. @returns a function that unsubscribes */
  onUse(listen: () => void): () => void
}

export function createModelUse(): ModelUse {
  const users = new Map<string, number>()
  const listeners = new Set<() => void>()
  const add = (path: string, by: number) => {
    const count = (users.get(path) ?? 0) + by
    if (count > 0) users.set(path, count)
    else users.delete(path)
  }
  return {
    async during({ path }, work) {
      add(path, 1)
      for (const listen of listeners) listen()
      try {
        return await work()
      } finally {
        add(path, -1)
      }
    },
    isInUse: (path) => users.has(path),
    isAnyInUse: () => users.size > 0,
    onUse(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}
