// The edits between two lists, computed without blocking the event loop for long.

import { type ChangeObject, diffArrays } from 'diff'

/** Compared without a pause: lists this short take at most ten milliseconds. */
const FEW = 1000

/** Null if it takes more than `maxEdits` edits. */
export async function compared<T>(
  old: T[],
  now: T[],
  { maxEdits }: { maxEdits: number },
): Promise<ChangeObject<T[]>[] | null> {
  if (old.length + now.length <= FEW) return diffArrays(old, now, { maxEditLength: maxEdits }) ?? null
  const { promise, resolve } = Promise.withResolvers<ChangeObject<T[]>[] | null>()
  // With a callback, each turn of the event loop tries one more edit.
  diffArrays(old, now, { maxEditLength: maxEdits, callback: (changes) => resolve(changes ?? null) })
  return promise
}
