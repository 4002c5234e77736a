import type { DetailedCapture } from '../server/wire.ts'
import type { CaptureState } from './capture-state.ts'
import type { Shown } from './shown-text.tsx'

export type ToolProps = { capture: DetailedCapture; state: CaptureState; shown: Shown; onDone: () => void }
