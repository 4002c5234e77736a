// The settings view has a place for each of the server's settings, and knows the languages that the engine knows.
// What is done there is test/browser/page-settings.test.ts's.

import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../src/engine/languages.ts'
import { WireSettingsSchema } from '../../src/http/settings/schema.ts'

import { SPOKEN_LANGUAGES } from '../../src/ui/parts/spoken-languages.ts'
import { SETTING_GROUPS } from '../../src/ui/settings/setting-groups.ts'

test('each setting of the server has one place on the page', () => {
  const shown = SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => String(name)))
  const held = Object.keys(WireSettingsSchema.properties).filter((name) => name !== 'warnings')
  expect(shown.toSorted()).toEqual(held.toSorted())
})

test('the page names the languages that can be heard', () => {
  expect(SPOKEN_LANGUAGES).toEqual([...WHISPER_LANGUAGES])
})
