// Whether the server answered when it was last asked.
// Set by ask.ts and connection.ts, which also asks again.

import { signal } from '@preact/signals'

export const isReachable = signal(true)
