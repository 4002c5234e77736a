// Bundles the program's code, by itself or with Bun and all files into an executable.

import { dirname } from 'node:path'
import { ownFile } from '../../src/lib/own-files.ts'
import { OPENCC } from './stage.ts'
import type { Target } from './targets.ts'

/** The command line with all scripts, and the entry points of threads. */
const ENTRIES = [
  'src/executable.ts',
  'db/embedded-thread.ts',
  'wasm/whisper/kernel-thread.ts',
  'wasm/shout/pthread.ts',
]

/** GPL: never inside. */
const OUTSIDE = ['@ffmpeg/core']

/**
 * These packages declare that they have no side effects, but assign names to their classes. Bun would then drop the
 * classes and keep the assignment. A path from a plugin is bundled without regard to the declaration.
 */
const withSideEffects: Bun.BunPlugin = {
  name: 'packages with side effects',
  setup(build) {
    build.onResolve(
      { filter: /^(@wasm-audio-decoders\/(flac|ogg-vorbis|common)|mpg123-decoder|opus-decoder)$/ },
      ({ path, importer }) => ({ path: Bun.resolveSync(path, dirname(importer)) }),
    )
  },
}

/**
 * The bundler writes six bytes for each Chinese character of a table. The file that is compressed beside the code has
 * the same exports.
 */
const packed: Bun.BunPlugin = {
  name: 'packed tables',
  setup(build) {
    build.onResolve({ filter: /^opencc-js$/ }, ({ path }) => ({ path, namespace: 'packed' }))
    build.onLoad({ filter: /./, namespace: 'packed' }, () => ({
      loader: 'js',
      contents: `import { readOwnFile } from '${ownFile('src/lib/own-files.ts')}'
const code = new TextDecoder().decode(await readOwnFile('${OPENCC}'))
const module = { exports: {} }
new Function('module', 'exports', code)(module, module.exports)
export const { Converter } = module.exports`,
    }))
  },
}

const OPTIONS: Parameters<typeof Bun.build>[0] = {
  entrypoints: ENTRIES.map(ownFile),
  root: ownFile('.'),
  target: 'bun',
  splitting: true,
  // Names of functions and classes stay, because some are part of log lines and stack traces.
  minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
  external: OUTSIDE,
  plugins: [withSideEffects, packed],
}

/** The page is built already (src/ui/built). */
const PAGE = { entrypoints: [ownFile('src/ui/main.tsx')], root: ownFile('.') }

/** Paths of all modules inside, relative to the project's root. */
export async function bundledModules(): Promise<string[]> {
  const built = [OPTIONS, PAGE].map((options) => Bun.build({ ...options, metafile: true }))
  return (await Promise.all(built)).flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
}

export type Executable = {
  /** the file of Bun for the target */
  bun: string
  target: Target
  assets: string[]
  outfile: string
}

export async function compileExecutable({ bun, target, assets, outfile }: Executable): Promise<void> {
  await Bun.build({
    ...OPTIONS,
    compile: {
      executablePath: bun,
      target: `bun-${target}`,
      outfile,
      assets,
      // Settings come from the environment only, not from files of the folder in which the user starts the program.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
}
