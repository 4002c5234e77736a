import { pause } from '../lib/retry.ts'
import { StoreError } from './store.ts'

/** Before each further attempt. Callers that must not lose anything try again later, with longer pauses. */
const PAUSES_MS = [100, 300, 900, 2700]

/** Repeats a call of a store while its failure may pass. @throws the last failure */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreError) || !error.mayPass) throw error
    }
    // Servers that were cut off together do not return together.
    await pause(ms * (0.5 + Math.random()))
  }
  return work()
}
