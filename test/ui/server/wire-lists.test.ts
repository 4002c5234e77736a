// The page's own lists agree with the server: settings, languages, the benchmarked model.

import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../../src/engine/languages.ts'
import { WireSettingsSchema } from '../../../src/http/settings/schema.ts'

import { MEASURED_MODEL } from '../../../src/models/benchmark.ts'
import { SELF_TESTED } from '../../../src/ui/models/model-state.ts'
import { SPOKEN_LANGUAGES } from '../../../src/ui/parts/spoken-languages.ts'
import { SETTING_GROUPS } from '../../../src/ui/settings/setting-groups.ts'

/** Only other programs use them: ours has no switch for its keys, and does not speak. */
const NOT_SHOWN = ['warnings', 'hotkey_enabled', 'default_playback_voice_id']

test('each setting that this program uses appears once on the page', () => {
  const shown = SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => String(name)))
  const held = Object.keys(WireSettingsSchema.properties).filter((name) => !NOT_SHOWN.includes(name))
  expect(shown.toSorted()).toEqual(held.toSorted())
})

test('the page names every language of the engine', () => {
  expect(SPOKEN_LANGUAGES).toEqual([...WHISPER_LANGUAGES])
})

test('the page knows which model the server benchmarks', () => {
  expect(SELF_TESTED).toBe(MEASURED_MODEL.name)
})
