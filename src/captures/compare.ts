// How one list becomes another, found so that a long comparison keeps nobody waiting.
// What the lists are made of, and what a change means, is for who asks.

import { type ChangeObject, diffArrays } from 'diff'

/** Compared without a pause: so few take a hundredth of a second, whatever they are. */
const FEW = 1000

/** Null where it takes more edits than `maxEdits`. */
export async function compared<T>(
  old: T[],
  now: T[],
  { maxEdits }: { maxEdits: number },
): Promise<ChangeObject<T[]>[] | null> {
  if (old.length + now.length <= FEW) return diffArrays(old, now, { maxEditLength: maxEdits }) ?? null
  const { promise, resolve } = Promise.withResolvers<ChangeObject<T[]>[] | null>()
  // With a callback it looks for one more edit at each turn of the event loop.
  diffArrays(old, now, { maxEditLength: maxEdits, callback: (changes) => resolve(changes ?? null) })
  return promise
}
