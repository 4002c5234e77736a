// When sound plays, by the timestamps of its container: where the timeline starts and what counts as a hole.
// Reads no container and fills nothing.

/** Less is rounding, jitter, or what a codec puts before the sound. */
const LEAST_HOLE_SECONDS = 0.1
/** Longer holes of a live stream are not filled: its clock has jumped, or its computer slept. */
export const LONGEST_LIVE_HOLE_SECONDS = 300
/** A stream that was joined while it ran counts from its own start, which no player waits for. */
const LATEST_START_SECONDS = 300

/** Where a player's clock shows 0. @param first the first timestamp of any track */
export const startOfTimeline = (first: number): number => (first > LATEST_START_SECONDS ? first : 0)

/**
 * Whether nothing plays for so long before a timestamp. Sound that overlaps what came before follows it: samples are
 * never dropped for a timestamp.
 */
export const isHole = (seconds: number): boolean => seconds >= LEAST_HOLE_SECONDS
