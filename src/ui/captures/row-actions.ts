import type { ListedCapture } from '../server/wire.ts'

export type RowActions = {
  play: (capture: ListedCapture) => void
  star: (capture: ListedCapture) => void
  copy: (capture: ListedCapture) => void
  /** into the trash, or out of it */
  move: (capture: ListedCapture) => void
}
