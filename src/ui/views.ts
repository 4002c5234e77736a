// The views of the page with their addresses and lazy-loaded code; only the first is bundled.

import type { ComponentType } from 'preact'
import type { Address } from './address.ts'
import { captureQueryOf, firstPagePath } from './captures/capture-query.ts'
import { RECENT_PATH } from './captures/recent-captures.ts'
import { RecordView } from './record/record-view.tsx'
import type { Strings } from './strings/en.ts'

export type ViewProps = { address: Address }

export type View = {
  /** the first segment of its address, '' for the first view; its name is in the strings */
  word: string
  name: keyof Strings['views']
  /** how many more segments its address may have */
  more: number
  /** its place in the navigation; a small window shows only the daily ones outside "More" */
  group: 'daily' | 'writing' | 'system'
  /** its first request, prefetched while the code of the view loads */
  firstPath?: (address: Address) => string
  load: () => ComponentType<ViewProps> | Promise<ComponentType<ViewProps>>
}

/** In the order of the navigation, which lists those without further segments. */
export const VIEWS: readonly View[] = [
  {
    word: '',
    name: 'record',
    more: 0,
    group: 'daily',
    firstPath: () => RECENT_PATH,
    load: () => RecordView,
  },
  {
    word: 'files',
    name: 'files',
    more: 0,
    group: 'daily',
    load: async () => (await import('./files/files-view.tsx')).FilesView,
  },
  {
    word: 'captures',
    name: 'captures',
    more: 0,
    group: 'daily',
    firstPath: ({ query }) => firstPagePath(captureQueryOf(query)),
    load: async () => (await import('./captures/captures-view.tsx')).CapturesView,
  },
  {
    word: 'captures',
    name: 'capture',
    more: 1,
    group: 'daily',
    firstPath: ({ path }) => `/captures/${path[1]}`,
    load: async () => (await import('./capture/capture-view.tsx')).CaptureView,
  },
  {
    word: 'dictionary',
    name: 'dictionary',
    more: 0,
    group: 'writing',
    load: async () => (await import('./dictionary/dictionary-view.tsx')).DictionaryView,
  },
  {
    word: 'writing-styles',
    name: 'styles',
    more: 0,
    group: 'writing',
    load: async () => (await import('./writing-styles/styles-view.tsx')).StylesView,
  },
  {
    word: 'writing-styles',
    name: 'style',
    more: 1,
    group: 'writing',
    load: async () => (await import('./writing-styles/styles-view.tsx')).StylesView,
  },
  {
    word: 'commands',
    name: 'commands',
    more: 0,
    group: 'writing',
    load: async () => (await import('./commands/commands-view.tsx')).CommandsView,
  },
  {
    word: 'models',
    name: 'models',
    more: 0,
    group: 'system',
    load: async () => (await import('./models/models-view.tsx')).ModelsView,
  },
  {
    word: 'jobs',
    name: 'jobs',
    more: 0,
    group: 'system',
    load: async () => (await import('./jobs/jobs-view.tsx')).JobsView,
  },
  {
    word: 'statistics',
    name: 'statistics',
    more: 0,
    group: 'system',
    load: async () => (await import('./statistics/statistics-view.tsx')).StatisticsView,
  },
  {
    word: 'settings',
    name: 'settings',
    more: 0,
    group: 'system',
    load: async () => (await import('./settings/settings-view.tsx')).SettingsView,
  },
]

export const viewAt = ({ path }: Address): View | null =>
  VIEWS.find(({ word, more }) => (path[0] ?? '') === word && Math.max(path.length - 1, 0) === more) ?? null
