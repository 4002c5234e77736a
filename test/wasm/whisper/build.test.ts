import { expect, test } from 'bun:test'
import { isUpToDate } from '../../../wasm/whisper/build.ts'
import { toolPath } from '../../support/tools.ts'

test.skipIf(toolPath('assemblyscript') === null)('the committed module matches its source', async () => {
  expect(await isUpToDate()).toBe(true)
})
