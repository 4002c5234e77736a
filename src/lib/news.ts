// A condition variable: waiters wake on every change and re-check the condition themselves.

export type News = {
  /** wakes all waiters */
  tell(): void
  /** resolves on the next call of `tell` */
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
