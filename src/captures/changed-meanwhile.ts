// A change that is only meant for the capture as the client knows it.
// By what the client knows it is http/'s.

import type { Capture } from './capture.ts'

export type IsExpected = (capture: Pick<Capture, 'revision'>) => boolean

export const changedMeanwhile = (id: string) => ({
  code: 'precondition_failed' as const,
  message: `Capture ${id} was changed meanwhile. Get it again, and send the change with its new ETag.`,
})
