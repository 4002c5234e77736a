// Copies the files that the program reads into a folder with the layout that `ownFile` expects inside the executable.

import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ownFile } from '../../src/lib/own-files.ts'

export const OWN = [
  'src/models/ggml-base-q5_1.bin',
  'src/models/self-test.wav',
  'src/engine/whisper/warm-up.wav',
  'src/ui/built',
  'src/http/docs/assets',
  'wasm/whisper/kernels.wasm',
  'db/empty-cluster.tar.zst',
  'db/migrations',
]

/** See `packed` in bundle.ts. */
export const OPENCC = 'node_modules/opencc-js/full.js'

const SPEEX = 'node_modules/@echogarden/speex-resampler-wasm'

/** The path inside, and the file if the package does not export it under that name. */
type OfPackage = [path: string, file?: string]

export const OF_PACKAGES: OfPackage[] = [
  [
    `${SPEEX}/speex-resampler-simd.wasm`,
    join(dirname(ownFile(`${SPEEX}/simd`)), 'speex-resampler-simd.wasm'),
  ],
]

/**
 * What the program reads with `readOwnFile`, and the smaller model. They lose 18 MB. PGlite takes some 20 ms to
 * decompress, the model 50. The other model would lose as much, but is the usual one.
 */
export const COMPRESSED: OfPackage[] = [
  ['src/models/ggml-tiny.en-q5_1.bin'],
  ['node_modules/@electric-sql/pglite/pglite.wasm'],
  ['node_modules/@electric-sql/pglite/pglite.data'],
  ['node_modules/@ricky0123/vad-web/dist/silero_vad_v6.onnx'],
  ['node_modules/swagger-ui-dist/swagger-ui-bundle.js'],
  ['node_modules/swagger-ui-dist/swagger-ui.css'],
  ['node_modules/swagger-ui-dist/favicon-32x32.png'],
  [OPENCC, join(dirname(ownFile('node_modules/opencc-js')), '../umd/full.js')],
]
/** A higher one takes minutes for the model. */
const LEVEL = 12

const JOURNAL = 'db/migrations/meta/_journal.json'

/** @returns the folders that hold everything, each at the path that it has inside */
export async function stageFiles(folder: string, licenses: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true })
  const files = OWN.map((path): OfPackage => [path]).concat(OF_PACKAGES)
  for (const [path, file = ownFile(path)] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(file, join(folder, path), { recursive: true })
  }
  const compressed = async (path: string, bytes: Uint8Array) =>
    Bun.write(join(folder, `${path}.zst`), await Bun.zstdCompress(bytes, { level: LEVEL }))
  for (const [path, file = ownFile(path)] of COMPRESSED) await compressed(path, await Bun.file(file).bytes())
  // Snapshots serve the generator of migrations only.
  await rm(join(folder, 'db/migrations/meta'), { recursive: true })
  await cp(ownFile(JOURNAL), join(folder, JOURNAL))
  await compressed('docs/licenses.txt', new TextEncoder().encode(licenses))
  return ['src', 'wasm', 'db', 'node_modules', 'docs'].map((name) => join(folder, name))
}
