// The entry point of the executable that `npm run build` makes: the command line, or one of the scripts that it runs as
// processes of their own.

import { SCRIPT_FLAG } from './lib/child-process.ts'
import { ownFile } from './lib/own-files.ts'

/** By their paths from the root, which the literal imports give to the bundler. */
const SCRIPTS: Record<string, () => Promise<unknown>> = {
  'src/main.ts': () => import('./main.ts'),
  'src/audio/decoder-process.ts': () => import('./audio/decoder-process.ts'),
  'src/audio/speech-process.ts': () => import('./audio/speech-process.ts'),
  'src/engine/whisper-recogniser.ts': () => import('./engine/whisper-recogniser.ts'),
  'src/engine/shout-recogniser.ts': () => import('./engine/shout-recogniser.ts'),
}

const [, , flag, wanted] = process.argv
if (flag === SCRIPT_FLAG) {
  const script = Object.keys(SCRIPTS).find((path) => path === wanted || ownFile(path) === wanted)
  if (script === undefined) throw new Error(`the executable has no script ${wanted}`)
  process.argv.splice(2, 2)
  await SCRIPTS[script]!()
} else await import('./cli/main.ts')
