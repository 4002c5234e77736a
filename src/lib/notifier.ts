// A condition variable: waiters wake on every change and re-check the condition themselves.

export type Notifier = {
  /** wakes all waiters */
  notify(): void
  /** resolves on the next call of `notify` */
  next(): Promise<void>
}

export function createNotifier(): Notifier {
  let change = Promise.withResolvers<void>()
  return {
    notify() {
      change.resolve()
      change = Promise.withResolvers()
    },
    next: () => change.promise,
  }
}
