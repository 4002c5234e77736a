import type { Captures } from '../../captures/captures.ts'
import type { Usage } from '../../captures/usage.ts'
import type { Route } from '../contract/route.ts'
import { appsRoute } from './apps.ts'
import { audioRoute, type CaptureAudioDeps } from './audio.ts'
import { cancelCaptureRoute } from './cancel.ts'
import { segmentRoute } from './correct-segment.ts'
import { type CaptureCreateDeps, createCaptureRoute } from './create.ts'
import { deleteCaptureRoute } from './delete.ts'
import { deleteManyRoute } from './delete-many.ts'
import { exportRoute } from './export.ts'
import { exportManyRoute } from './export-many.ts'
import { getCaptureRoute } from './get.ts'
import { listCapturesRoute } from './list.ts'
import { type CaptureRefineDeps, refineRoute } from './refine.ts'
import { restoreVersionRoute } from './restore-version.ts'
import { type RetranscribeDeps, retranscribeCaptureRoute } from './retranscribe.ts'
import { type RetranscribeManyDeps, retranscribeManyRoute } from './retranscribe-many.ts'
import { statisticsRoute } from './stats.ts'
import { captureTrashRoutes } from './trash.ts'
import { type UpdateDeps, updateCaptureRoute } from './update.ts'
import { captureVersionsRoute } from './versions.ts'
import { type CaptureWaveformDeps, waveformRoute } from './waveform.ts'

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
