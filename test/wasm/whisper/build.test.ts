// The committed modules come from the committed source.
// What the kernels compute is tested kernel by kernel beside this file.

import { expect, test } from 'bun:test'
import { staleModules } from '../../../wasm/whisper/build.ts'

test('the kernels that ship are what their source gives', async () => {
  expect(await staleModules()).toEqual([])
})
