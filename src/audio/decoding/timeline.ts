// Rules for container timestamps: where the timeline starts and what counts as a hole.

/** Shorter gaps come from rounding, jitter or a codec's pre-skip. */
const MIN_HOLE_SECONDS = 0.1
/** Longer holes in a live stream are not filled: its clock has jumped, or its computer slept. */
export const LONGEST_LIVE_HOLE_SECONDS = 300
/** A stream that the recorder joined late counts from its own start, and players do not wait for that time. */
const LATEST_START_SECONDS = 300

/** The timestamp of a player's 0:00. @param first the first timestamp of any track */
export const startOfTimeline = (first: number): number => (first > LATEST_START_SECONDS ? first : 0)

/**
 * Whether the gap before a timestamp is a hole. Audio that overlaps what came before is appended: samples are never
 * dropped because of a timestamp.
 */
export const isHole = (seconds: number): boolean => seconds >= MIN_HOLE_SECONDS
