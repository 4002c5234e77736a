// Waiting for something to have changed, where whoever waits looks by himself at what it is.
// For what happens once a promise is enough, for what many hear of there is events.ts.

export type News = {
  /** wakes all who wait */
  tell(): void
  /** resolves when something is told from now on */
  next(): Promise<void>
}

export function createNews(): News {
  let news = Promise.withResolvers<void>()
  return {
    tell() {
      news.resolve()
      news = Promise.withResolvers()
    },
    next: () => news.promise,
  }
}
