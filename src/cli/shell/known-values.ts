// Values that the completion offers: declared choices, and what this computer knows without a server.

import { type Environment, modelsFolderOf } from '../../config.ts'
import { ownFile } from '../../lib/own-files.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import { CATALOGUE, exactName } from '../../models/catalogue.ts'
import { installedModels } from '../../models/installed.ts'
import { SettingsSchema } from '../../settings/settings.ts'
import type { KnownValues } from '../option-specs.ts'

export type ValuesOf = (spec: { choices?: readonly string[]; known?: KnownValues }) => readonly string[]

export function createKnownValues(env: Environment): ValuesOf {
  const known: Record<KnownValues, () => string[]> = {
    settings: () => Object.keys(SettingsSchema.properties).map(wireName),
    models: () => [...new Set(CATALOGUE.flatMap((model) => [model.family, exactName(model)]))],
    'installed models': () =>
      installedModels(ownFile('src/models'), modelsFolderOf(env)).map(({ name }) => name),
  }
  return (spec) => spec.choices ?? (spec.known === undefined ? [] : known[spec.known]())
}
