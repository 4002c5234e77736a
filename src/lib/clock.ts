// The wall clock, handed in where time matters so that a test can hold it still.
// Not for measuring how long something took: that is performance.now().

export type Clock = () => Date

export const systemClock: Clock = () => new Date()
