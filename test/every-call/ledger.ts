// The acknowledged and possible state of all rounds, to be compared with the server's.

import { captureIds, type FetchApi, GONE, type Key, view, withoutAudio } from '../support/kept-view.ts'
import { recordingHash } from './operations.ts'

/** The values that a key may have; an acknowledged key has one. */
export type Ledger = {
  expect(key: Key, ...values: string[]): void
  /** @returns a message for each fault; new captures are expected from then on */
  compare(fetchApi: FetchApi, newCaptures: NewCaptures, hash?: string): Promise<string[]>
  /** captures that were not expected */
  newCaptures(fetchApi: FetchApi): Promise<string[]>
}

/** Whether a new capture may exist: never, a whole one, a partial one, or necessarily a partial one. */
export type NewCaptures = 'none' | 'whole' | 'part' | 'certainly a part'

export function createLedger(): Ledger {
  const expected = new Map<Key, string[]>()

  const newCapturesOn = async (fetchApi: FetchApi) =>
    (await captureIds(fetchApi)).filter((id) => !expected.has(`capture ${id}`))

  async function addNewCaptures(
    fetchApi: FetchApi,
    newCaptures: NewCaptures,
    hash: string,
  ): Promise<string[]> {
    const unexpected = await newCapturesOn(fetchApi)
    const faults = unexpected.length > 1 ? [`one request created ${unexpected.length} captures`] : []
    if (newCaptures === 'certainly a part' && unexpected.length === 0)
      faults.push('the written part of the recording did not become a capture')
    for (const id of unexpected) {
      const found = await view(fetchApi, `capture ${id}`)
      expected.set(`capture ${id}`, [found])
      if (newCaptures === 'none') faults.push(`capture ${id} exists without a request: ${found}`)
      else if (newCaptures === 'whole' && !found.includes(hash))
        faults.push(`capture ${id} differs from the upload: ${found}`)
    }
    return faults
  }

  return {
    newCaptures: newCapturesOn,
    expect: (key, ...values) => void expected.set(key, values),
    async compare(fetchApi, newCaptures, hash = recordingHash) {
      const faults = [
        ...(await addNewCaptures(fetchApi, newCaptures, hash)),
        ...(await withoutAudio(fetchApi)),
      ]
      for (const [key, values] of expected) {
        const found = await view(fetchApi, key)
        if (!values.includes(found)) faults.push(`${key} is ${found}, not ${values.join(' or ')}`)
        // From now on this state must not change.
        if (found === GONE) expected.delete(key)
        else expected.set(key, [found])
      }
      return faults
    },
  }
}
