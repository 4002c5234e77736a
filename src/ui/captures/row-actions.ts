// What can be done with a capture of the list, by its buttons and by keys.
// Done is it in capture-rows.tsx.

import type { ListedCapture } from '../server/wire.ts'

export type RowActions = {
  play: (capture: ListedCapture) => void
  star: (capture: ListedCapture) => void
  copy: (capture: ListedCapture) => void
  /** into the trash, or out of it */
  move: (capture: ListedCapture) => void
}
