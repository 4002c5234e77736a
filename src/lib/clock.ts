// The wall clock, passed in so that a test can hold it still. To measure a duration use performance.now().

export type Clock = () => Date

export const systemClock: Clock = () => new Date()
