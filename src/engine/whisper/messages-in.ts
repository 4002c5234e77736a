// A pause in work that never waits, as long as it takes to take in the messages that have come.
// Ends nothing: that is decoding/breath.ts.

export const messagesIn = () => new Promise<void>((resolve) => setImmediate(resolve))
