// The committed module comes from the committed source.
// What the kernels compute is tested kernel by kernel beside this file.

import { expect, test } from 'bun:test'
import { isUpToDate } from '../../../wasm/whisper/build.ts'
import { toolPath } from '../../support/tools.ts'

test.skipIf(toolPath('assemblyscript') === null)(
  'the kernels that ship are what their source gives',
  async () => {
    expect(await isUpToDate()).toBe(true)
  },
)
