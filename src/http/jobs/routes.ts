import type { Batches } from '../../jobs/batches.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Route } from '../contract/route.ts'
import { cancelBatchRoute } from './batches/cancel.ts'
import { getBatchRoute } from './batches/get.ts'
import { listBatchesRoute } from './batches/list.ts'
import { cancelJobRoute } from './cancel.ts'
import { getJobRoute } from './get.ts'
import { listJobsRoute } from './list.ts'

export type JobsDeps = { jobs: Jobs; batches: Batches }

export const jobRoutes = ({ jobs, batches }: JobsDeps): Route[] => [
  listJobsRoute(jobs),
  getJobRoute(jobs),
  cancelJobRoute(jobs),
  listBatchesRoute(batches),
  getBatchRoute(batches),
  cancelBatchRoute(batches),
]
