// Tries what a person asked for, and says at the edge of the page why it did not work.
// Faults that belong beside a field are each form's.

import { noteFault } from './toasts.tsx'

/** @returns whether it worked */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    noteFault(error)
    return false
  }
}
