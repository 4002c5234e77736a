// All operations at addresses that are other programs': OpenAI's, Azure's and whisper.cpp's.
// What each does is its own file's; Voicebox's addresses lie among ours.

import type { Route } from '../contract/route.ts'
import type { TranscribeRouteDeps } from '../transcribe/hearing-route.ts'
import { type OpenAiModelsDeps, openAiModelRoutes } from './openai/models.ts'
import { type RealtimeRouteDeps, realtimeRoute } from './openai/realtime/realtime.ts'
import { openAiRoutes } from './openai/transcriptions.ts'
import { inferenceRoute } from './whisper-cpp/inference.ts'

export const compatRoutes = (deps: TranscribeRouteDeps & OpenAiModelsDeps & RealtimeRouteDeps): Route[] => [
  ...openAiRoutes(deps),
  realtimeRoute(deps),
  inferenceRoute(deps),
  ...openAiModelRoutes(deps),
]
