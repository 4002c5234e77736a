// Selects native whisper.cpp: the one that WHISPER_CLI names, else the package.

import { openNativeCli } from './native-cli.ts'
import { openNativePackage, PACKAGE } from './native-package.ts'
import type { Case, Peer } from './peer.ts'

export const openNative = async (options: Case): Promise<Peer | null> => {
  const cli = process.env.WHISPER_CLI
  return cli ? openNativeCli(cli, options) : openNativePackage(options)
}

/** The reason if there is none. */
export const NO_NATIVE = `no native whisper.cpp: give WHISPER_CLI=/path/to/whisper-cli, or run npm run tools, which has ${PACKAGE}`
