import type { Captures } from '../../captures/captures.ts'
import type { Usage } from '../../captures/statistics.ts'
import type { Route } from '../kernel/route.ts'
import { audioRoute, type CaptureAudioDeps, type CaptureWaveformDeps, waveformRoute } from './audio.ts'
import { deleteManyRoute, type RetranscribeManyDeps, retranscribeManyRoute } from './bulk.ts'
import {
  cancelCaptureRoute,
  captureTrashRoutes,
  deleteCaptureRoute,
  getCaptureRoute,
  listCapturesRoute,
  type UpdateDeps,
  updateCaptureRoute,
} from './captures.ts'
import { type CaptureCreateDeps, createCaptureRoute } from './create.ts'
import { exportManyRoute, exportRoute } from './export.ts'
import {
  type CaptureRefineDeps,
  type RetranscribeDeps,
  refineRoute,
  retranscribeCaptureRoute,
} from './retranscribe.ts'
import { appsRoute, statisticsRoute } from './stats.ts'
import { tagsRoute } from './tags.ts'
import { captureVersionsRoute, restoreVersionRoute, segmentRoute } from './versions.ts'

export type CaptureRoutesDeps = { captures: Captures; usage: Usage } & CaptureCreateDeps &
  UpdateDeps &
  CaptureAudioDeps &
  CaptureWaveformDeps &
  RetranscribeDeps &
  RetranscribeManyDeps &
  CaptureRefineDeps

export const captureRoutes = (deps: CaptureRoutesDeps): Route[] => [
  createCaptureRoute(deps),
  listCapturesRoute(deps.captures),
  getCaptureRoute(deps.captures),
  updateCaptureRoute(deps),
  deleteCaptureRoute(deps.captures),
  tagsRoute(deps.captures),
  statisticsRoute(deps.usage),
  appsRoute(deps.usage),
  audioRoute(deps),
  waveformRoute(deps),
  exportRoute(deps.captures),
  segmentRoute(deps.captures),
  ...captureTrashRoutes(deps.captures),
  retranscribeCaptureRoute(deps),
  cancelCaptureRoute(deps.captures),
  captureVersionsRoute(deps.captures),
  restoreVersionRoute(deps.captures),
  refineRoute(deps),
  retranscribeManyRoute(deps),
  deleteManyRoute(deps),
  exportManyRoute(deps.captures),
]
