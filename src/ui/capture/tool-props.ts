// What each tool of a capture is given.
// Which there are is tools.tsx's.

import type { DetailedCapture } from '../server/wire.ts'
import type { CaptureState } from './capture-state.ts'
import type { Shown } from './shown-text.tsx'

export type ToolProps = { capture: DetailedCapture; state: CaptureState; shown: Shown; onDone: () => void }
