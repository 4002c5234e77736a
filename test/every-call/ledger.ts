// What was promised in all rounds so far, and what may be there without a promise; compared with what a server shows.

import { type Ask, captureIds, GONE, type Key, view, withoutAudio } from '../support/kept-view.ts'
import { recordingHash } from './operations.ts'

/** Every value that a key may have, of which the first is the only one where it was acknowledged. */
export type Ledger = {
  expect(key: Key, ...values: string[]): void
  /** a sentence for each fault; what is there without a promise is expected from then on */
  compare(ask: Ask, newcomers: Newcomers, hash?: string): Promise<string[]>
  /** captures that were not expected */
  newcomers(ask: Ask): Promise<string[]>
}

/** `none`; perhaps one that is whole; perhaps one with what arrived of it; or certainly such a one. */
export type Newcomers = 'none' | 'whole' | 'part' | 'certainly a part'

export function createLedger(): Ledger {
  const expected = new Map<Key, string[]>()

  const newcomersOf = async (ask: Ask) =>
    (await captureIds(ask)).filter((id) => !expected.has(`capture ${id}`))

  async function meet(ask: Ask, newcomers: Newcomers, hash: string): Promise<string[]> {
    const strangers = await newcomersOf(ask)
    const faults = strangers.length > 1 ? [`one request made ${strangers.length} captures`] : []
    if (newcomers === 'certainly a part' && strangers.length === 0)
      faults.push('what was written of the recording is no capture')
    for (const id of strangers) {
      const found = await view(ask, `capture ${id}`)
      expected.set(`capture ${id}`, [found])
      if (newcomers === 'none') faults.push(`capture ${id} is there, which nobody asked for: ${found}`)
      else if (newcomers === 'whole' && !found.includes(hash))
        faults.push(`capture ${id} is there, but not as it was sent: ${found}`)
    }
    return faults
  }

  return {
    newcomers: newcomersOf,
    expect: (key, ...values) => void expected.set(key, values),
    async compare(ask, newcomers, hash = recordingHash) {
      const faults = [...(await meet(ask, newcomers, hash)), ...(await withoutAudio(ask))]
      for (const [key, values] of expected) {
        const found = await view(ask, key)
        if (!values.includes(found)) faults.push(`${key} is ${found}, and not ${values.join(' or ')}`)
        // Whatever it has become, it stays.
        if (found === GONE) expected.delete(key)
        else expected.set(key, [found])
      }
      return faults
    },
  }
}
