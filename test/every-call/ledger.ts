// The acknowledged and possible state of all rounds, to be compared with the server's.

import { type Ask, captureIds, GONE, type Key, view, withoutAudio } from '../support/kept-view.ts'
import { recordingHash } from './operations.ts'

/** The values that a key may have; an acknowledged key has one. */
export type Ledger = {
  expect(key: Key, ...values: string[]): void
  /** @returns a message for each fault; new captures are expected from then on */
  compare(ask: Ask, newcomers: Newcomers, hash?: string): Promise<string[]>
  /** captures that were not expected */
  newcomers(ask: Ask): Promise<string[]>
}

/** Whether a new capture may exist: never, a whole one, a partial one, or necessarily a partial one. */
export type Newcomers = 'none' | 'whole' | 'part' | 'certainly a part'

export function createLedger(): Ledger {
  const expected = new Map<Key, string[]>()

  const newcomersOf = async (ask: Ask) =>
    (await captureIds(ask)).filter((id) => !expected.has(`capture ${id}`))

  async function addNewcomers(ask: Ask, newcomers: Newcomers, hash: string): Promise<string[]> {
    const unexpected = await newcomersOf(ask)
    const faults = unexpected.length > 1 ? [`one request created ${unexpected.length} captures`] : []
    if (newcomers === 'certainly a part' && unexpected.length === 0)
      faults.push('the written part of the recording did not become a capture')
    for (const id of unexpected) {
      const found = await view(ask, `capture ${id}`)
      expected.set(`capture ${id}`, [found])
      if (newcomers === 'none') faults.push(`capture ${id} exists without a request: ${found}`)
      else if (newcomers === 'whole' && !found.includes(hash))
        faults.push(`capture ${id} differs from the upload: ${found}`)
    }
    return faults
  }

  return {
    newcomers: newcomersOf,
    expect: (key, ...values) => void expected.set(key, values),
    async compare(ask, newcomers, hash = recordingHash) {
      const faults = [...(await addNewcomers(ask, newcomers, hash)), ...(await withoutAudio(ask))]
      for (const [key, values] of expected) {
        const found = await view(ask, key)
        if (!values.includes(found)) faults.push(`${key} is ${found}, not ${values.join(' or ')}`)
        // From now on this state must not change.
        if (found === GONE) expected.delete(key)
        else expected.set(key, [found])
      }
      return faults
    },
  }
}
