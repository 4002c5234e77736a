// The one operation of this folder, POST /transcribe.
// Other programs' addresses for the same are compat/.

import type { Route } from '../contract/route.ts'
import type { TranscribeRouteDeps } from './hearing-route.ts'
import { transcribeRoute } from './transcribe.ts'

export const transcribeRoutes = (deps: TranscribeRouteDeps): Route[] => [transcribeRoute(deps)]
