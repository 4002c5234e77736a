import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Route } from '../kernel/route.ts'
import {
  clearDictionaryRoute,
  createEntryRoute,
  deleteEntryRoute,
  getEntryRoute,
  listDictionaryRoute,
  replaceEntryRoute,
  updateEntryRoute,
} from './dictionary.ts'
import { exportDictionaryRoute, importDictionaryRoute } from './import.ts'
import { type DictionaryTestDeps, dictionaryTestRoute } from './test.ts'

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
