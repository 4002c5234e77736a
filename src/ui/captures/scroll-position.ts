// Restores the scroll position of the list after going back from a capture.

import { captureList } from './capture-list.ts'

let top = 0
let address = ''

export const scrollPosition = {
  keep(): void {
    top = scrollY
    address = captureList.value.key
  },
  /** Applies only to the same list, before its first render. */
  restore(): void {
    if (address === captureList.value.key && top > 0) requestAnimationFrame(() => scrollTo(0, top))
  },
}
