// Runs an action and reports its failure as a toast. Errors that belong to a field are handled by each form.

import { noteFault } from './toasts.tsx'

/** @returns whether it succeeded */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    noteFault(error)
    return false
  }
}
