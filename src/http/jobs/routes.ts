import type { Batches } from '../../jobs/batches.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Route } from '../kernel/route.ts'
import { cancelBatchRoute, getBatchRoute, listBatchesRoute } from './batches.ts'
import { cancelJobRoute, getJobRoute, listJobsRoute, listWorkersRoute } from './jobs.ts'

export type JobsDeps = { jobs: Jobs; batches: Batches }

export const jobRoutes = ({ jobs, batches }: JobsDeps): Route[] => [
  listJobsRoute(jobs),
  listWorkersRoute(jobs),
  getJobRoute(jobs),
  cancelJobRoute(jobs),
  listBatchesRoute(batches),
  getBatchRoute(batches),
  cancelBatchRoute(batches),
]
