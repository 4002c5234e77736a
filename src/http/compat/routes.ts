// The routes of OpenAI, Azure and whisper.cpp. Voicebox uses the routes of this server.

import type { Route } from '../kernel/route.ts'
import type { TranscribeRouteDeps } from '../transcribe/stream.ts'
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
