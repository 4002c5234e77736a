// The failure of a conditional change: the capture has changed since the client read it.

import type { Capture } from './capture.ts'

export type IsExpected = (capture: Pick<Capture, 'revision'>) => boolean

export const changedMeanwhile = (id: string) => ({
  code: 'precondition_failed' as const,
  message: `Capture ${id} was changed meanwhile. Get it again, and send the change with its new ETag.`,
})
