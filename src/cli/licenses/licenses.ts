// dictation licenses: prints the notices that `npm run build` collects.

import { readOwnFile } from '../../lib/own-files.ts'
import { EXIT } from '../terminal/exit.ts'
import type { Tools } from '../tools.ts'

export async function showLicenses({ report }: Tools): Promise<number> {
  report.result(new TextDecoder().decode(await readOwnFile('docs/licenses.txt')))
  return EXIT.done
}
