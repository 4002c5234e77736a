// Where somebody was in the list when they opened a capture, so that going back brings them there.
// The items that were there are capture-list.ts's.

import { captureList } from './capture-list.ts'

let top = 0
let address = ''

export const keptPlace = {
  keep(): void {
    top = scrollY
    address = captureList.value.key
  },
  /** Only of the same list, and before it is drawn for the first time. */
  restore(): void {
    if (address === captureList.value.key && top > 0) requestAnimationFrame(() => scrollTo(0, top))
  },
}
