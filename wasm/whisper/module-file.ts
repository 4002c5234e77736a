// The built kernels.

import { ownFile } from '../../src/lib/own-files.ts'

export const MODULE_FILE = ownFile('wasm/whisper/kernels.wasm')
