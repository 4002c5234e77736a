/** Yields to the event loop once, so that work that never awaits I/O receives its messages. */
export const yieldToMessages = () => new Promise<void>((resolve) => setImmediate(resolve))
