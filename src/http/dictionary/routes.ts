import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Route } from '../contract/route.ts'
import { clearDictionaryRoute } from './clear.ts'
import { createEntryRoute } from './create.ts'
import { deleteEntryRoute } from './delete.ts'
import { exportDictionaryRoute } from './export.ts'
import { getEntryRoute } from './get.ts'
import { importDictionaryRoute } from './import.ts'
import { listDictionaryRoute } from './list.ts'
import { replaceEntryRoute } from './replace.ts'
import { type DictionaryTestDeps, dictionaryTestRoute } from './test.ts'
import { updateEntryRoute } from './update.ts'

export const dictionaryRoutes = (deps: DictionaryTestDeps, clock: Clock = systemClock): Route[] => [
  listDictionaryRoute(deps.dictionary),
  createEntryRoute(deps.dictionary),
  clearDictionaryRoute(deps.dictionary),
  getEntryRoute(deps.dictionary),
  replaceEntryRoute(deps.dictionary),
  updateEntryRoute(deps.dictionary),
  deleteEntryRoute(deps.dictionary),
  importDictionaryRoute(deps.dictionary),
  exportDictionaryRoute(deps.dictionary),
  dictionaryTestRoute(deps, clock),
]
